"""Every package has a small front door: a docstring, imports and a sorted list of names that are really there."""

from __future__ import annotations

import ast
import importlib
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = ("marg_runtime", "marg_mock_model", "marg_corpora", "marg_reports", "marg_scenarios", "marg_harness")
LONGEST_DOOR = 40

pytestmark = pytest.mark.wheel


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _doors() -> dict[str, Path]:
    """Every package at any depth, by its dotted name, with its `__init__.py` where it is installed."""
    doors = {}
    for package in PACKAGES:
        folder = _folder(package)
        for path in sorted(folder.rglob("__init__.py")):
            doors[".".join((package, *path.parent.relative_to(folder).parts))] = path
    return doors


DOORS = _doors()
every_door = pytest.mark.parametrize("name", DOORS)


def _body(name: str) -> list[ast.stmt]:
    return ast.parse(DOORS[name].read_text(encoding="utf-8")).body


def _imported(name: str) -> list[str]:
    return [
        alias.asname or alias.name
        for node in _body(name)
        if isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "module", None) != "__future__"
        for alias in node.names
    ]


def _listed(name: str) -> list[str]:
    values = [
        node.value
        for node in _body(name)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _assigns_all(node)
    ]
    assert len(values) == 1, f"{name} has {len(values)} __all__"
    return [str(entry) for entry in ast.literal_eval(values[0])]


def _assigns_all(node: ast.stmt) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)] == ["__all__"]


def _order(name: str) -> tuple[int, list[tuple[int, str]]]:
    """Constants, then classes, then the rest; numbers inside a name count as numbers (the linter's order)."""
    rank = 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2
    return rank, [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


@every_door
def test_a_door_begins_with_a_docstring(name: str) -> None:
    first = _body(name)[0]
    assert isinstance(first, ast.Expr)
    assert isinstance(first.value, ast.Constant)
    assert isinstance(first.value.value, str)
    assert first.value.value.strip()


@every_door
def test_after_its_docstring_a_door_holds_imports_and_its_list_only(name: str) -> None:
    others = [
        ast.unparse(node)
        for node in _body(name)[1:]
        if not isinstance(node, ast.Import | ast.ImportFrom) and not _assigns_all(node)
    ]
    assert others == []


@every_door
def test_a_door_is_shorter_than_forty_lines(name: str) -> None:
    assert len(DOORS[name].read_text(encoding="utf-8").splitlines()) < LONGEST_DOOR


@every_door
def test_a_door_lists_its_names_in_order(name: str) -> None:
    assert _listed(name) == sorted(_listed(name), key=_order)


@every_door
def test_a_door_lists_exactly_what_it_imports(name: str) -> None:
    assert sorted(_listed(name)) == sorted(_imported(name))


@every_door
def test_every_listed_name_can_be_imported(name: str) -> None:
    module = importlib.import_module(name)
    assert [entry for entry in _listed(name) if not hasattr(module, entry)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_carries_the_mark_of_a_typed_one(package: str) -> None:
    assert (_folder(package) / "py.typed").is_file()
