"""Imports stand at the top of their file, and the core dependencies are enough to import Marg."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HEAVY = {
    "anthropic",
    "httpx2",
    "jsonschema",
    "mcp",
    "openai",
    "ovos_yes_no",
    "pandas",
    "psycopg",
    "pyarrow",
    "recognizers_choice",
    "recognizers_text",
    "scipy",
    "sqlalchemy",
    "starlette",
    "uvicorn",
}
"""Optional dependencies that take long to import: a function may import them when it is called."""

CORE_DOORS = (
    "marg_runtime",
    "marg_mock_model",
    "marg_corpora",
    "marg_reports",
    "marg_scenarios",
    "marg_harness",
    "marg_harness.cli",
)

BLOCK = """
import importlib.abc, json, sys
blocked = set(json.loads(sys.argv[1]))
class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"{name} is not among the core dependencies", name=name)
sys.meta_path.insert(0, Refuse())
before = set(sys.modules)
"""


def _late_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and the root package of every import inside a function."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in (inner for function in functions for inner in ast.walk(function)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or "").partition(".")[0]


def _core_distributions() -> set[str]:
    """The distributions that `pip install marg` brings with no extra, at any depth, this one included."""
    found: set[str] = set()
    waiting = ["marg"]
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        found.add(name)
        for line in importlib.metadata.requires(name) or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return found


def _outside_the_core() -> list[str]:
    """The top-level modules that are installed here but belong to no core distribution."""
    core = _core_distributions()
    return sorted(
        module
        for module, owners in importlib.metadata.packages_distributions().items()
        if not core & {canonicalize_name(owner) for owner in owners} and not module.startswith("marg_")
    )


def _run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCK + code, json.dumps(_outside_the_core())]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_only_a_heavy_optional_dependency_is_imported_late(trees: Mapping[str, ast.Module]) -> None:
    late = [
        f"{path}:{line} {name}"
        for path, tree in trees.items()
        for line, name in _late_imports(tree)
        if name not in HEAVY
    ]
    assert late == []


def test_the_test_environment_holds_something_outside_the_core_to_block() -> None:
    assert {"mcp", "httpx2", "pytest"} <= set(_outside_the_core())


@pytest.mark.wheel
@pytest.mark.parametrize("door", CORE_DOORS)
def test_a_door_opens_with_the_core_dependencies_alone(door: str) -> None:
    done = _run(f"import {door}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.wheel
def test_the_help_of_the_command_prints_with_the_core_dependencies_alone() -> None:
    done = _run("from marg_harness.cli import main; sys.argv = ['marg', '--help']; main()")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.wheel
def test_reading_a_reply_needs_the_standard_library_only() -> None:
    code = """
from marg_runtime import Question, read
read("yes", Question(text="Create it?", kind="confirm"))
roots = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(roots - set(sys.stdlib_module_names) - {"marg_runtime"}))
"""
    done = _run(code)
    assert (done.stdout, done.stderr) == ("[]\n", "")
