"""What a domain and its machine declare, and where."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from marg_harness.coverage.item import Item
from marg_harness.paths import shown_path
from marg_mock_model import Machine
from marg_runtime import gate
from marg_runtime.domain import Domain
from marg_runtime.steps.confirm import CONFIRM_KEY

LAYERS = ("skill", "schema", "guard")
ARROW = " → "
WORDS = ("allowed", "refused")


def declared(domain: Domain, machine: Machine, *, folder: Path) -> Iterator[Item]:
    """Everything declared but the options, which are known once they are drawn. folder: of the domain's source."""
    for step in (*domain.steps, domain.confirm):
        yield Item(kind="step", domain=domain.name, name=step.key, place=_step_place(folder, step.key))
    for tool in sorted({domain.write_tool, *domain.read_tools}, key=str):
        yield Item(kind="tool", domain=domain.name, name=str(tool))
    for layer in LAYERS:
        for word in WORDS:
            yield Item(kind="gate", domain=domain.name, name=f"{layer} {word}", place=_layer_place(layer))
    for state in machine.states.values():
        place = f"{shown_path(Path(state.path))}:{state.line}"
        yield Item(kind="state", domain=domain.name, name=state.name, place=place)
        for transition in state.transitions:
            place = f"{shown_path(Path(transition.path))}:{transition.line}"
            yield Item(kind="transition", domain=domain.name, name=f"{state.name}{ARROW}{transition.to}", place=place)


def _layer_place(layer: str) -> str:
    function = getattr(gate, f"{layer}_layer")
    return f"{Path(inspect.getsourcefile(function) or '').name}:{inspect.getsourcelines(function)[1]}"


def _step_place(folder: Path, key: str) -> str:
    """Where a step's key stands in the domain's Python: `key="title"`, or the confirmation's call."""
    for file in sorted(folder.glob("*.py")):
        for call, name in _keys(file):
            if name == key:
                return f"{shown_path(file)}:{call}"
    return ""


@cache
def _keys(file: Path) -> tuple[tuple[int, str], ...]:
    try:
        tree = ast.parse(file.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ()
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called == "confirm_step":
            found.append((node.lineno, CONFIRM_KEY))
        for keyword in node.keywords:
            if keyword.arg == "key" and isinstance(keyword.value, ast.Constant):
                found.append((keyword.value.lineno, str(keyword.value.value)))
    return tuple(found)
