"""Everything public says what it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def _undocumented(node: ast.Module | ast.ClassDef, name: str) -> Iterator[str]:
    """The public classes and functions under `node` that have no docstring, as dotted names."""
    for child in node.body:
        if not isinstance(child, ast.ClassDef | FUNCTION) or child.name.startswith("_"):
            continue
        if not ast.get_docstring(child) and not _is_said_elsewhere(child):
            yield f"{name}:{child.lineno} {child.name}"
        if isinstance(child, ast.ClassDef):
            yield from _undocumented(child, name)


def _is_said_elsewhere(node: ast.stmt) -> bool:
    """Overloads and setters share the docstring of another definition; an override has the one of its base."""
    if not isinstance(node, FUNCTION):
        return False
    marks = {ast.unparse(mark).split(".")[-1] for mark in node.decorator_list}
    return bool(marks & {"overload", "override", "setter"})


def test_every_module_has_a_docstring(trees: Mapping[str, ast.Module]) -> None:
    assert [path for path, tree in trees.items() if not ast.get_docstring(tree)] == []


def test_every_public_class_and_function_has_a_docstring(trees: Mapping[str, ast.Module]) -> None:
    assert [name for path, tree in trees.items() for name in _undocumented(tree, path)] == []
