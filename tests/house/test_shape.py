"""Files and functions stay small, files are named by nouns, and errors live in one place."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from statistics import median

LONGEST_FILE = 500
MEDIAN_FILE = 150
LONGEST_FUNCTION = 60
MEDIAN_FUNCTION = 10
GRAB_BAGS = {"util", "utils", "helper", "helpers", "common", "misc"}
BUILT_IN = {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}


def _functions(trees: Mapping[str, ast.Module]) -> Iterator[tuple[str, int]]:
    """Every function with the number of its lines."""
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                yield f"{path}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1


def _package(path: str) -> str:
    return PurePosixPath(path).parts[1]


def _heirs(trees: Mapping[str, ast.Module], roots: set[str]) -> set[tuple[str, str]]:
    """Every class below `roots` at any depth, judged by the names of its bases: the path of its file, its name."""
    classes = [
        (path, node) for path, tree in trees.items() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    ]
    known = set(roots)
    while True:
        new = {node.name for _, node in classes if {ast.unparse(base).split(".")[-1] for base in node.bases} & known}
        if new <= known:
            return {(path, node.name) for path, node in classes if node.name in new}
        known |= new


def _exceptions(trees: Mapping[str, ast.Module]) -> list[tuple[str, str]]:
    """Every exception class: the path of its file, its name."""
    return sorted(_heirs(trees, BUILT_IN))


def test_no_file_is_longer_than_500_lines(sources: Mapping[str, str]) -> None:
    assert {path: n for path, text in sources.items() if (n := len(text.splitlines())) > LONGEST_FILE} == {}


def test_the_median_file_is_shorter_than_150_lines(sources: Mapping[str, str]) -> None:
    assert median(len(text.splitlines()) for text in sources.values()) < MEDIAN_FILE


def test_no_function_is_longer_than_60_lines(trees: Mapping[str, ast.Module]) -> None:
    assert {name: lines for name, lines in _functions(trees) if lines > LONGEST_FUNCTION} == {}


def test_the_median_function_is_shorter_than_10_lines(trees: Mapping[str, ast.Module]) -> None:
    assert median(lines for _, lines in _functions(trees)) < MEDIAN_FUNCTION


def test_no_module_is_a_grab_bag(sources: Mapping[str, str]) -> None:
    named = [path for path in sources if GRAB_BAGS & set(PurePosixPath(path).with_suffix("").parts)]
    assert named == []


def test_a_package_has_one_errors_module_at_most(sources: Mapping[str, str]) -> None:
    packages = [_package(path) for path in sources if PurePosixPath(path).name == "errors.py"]
    assert sorted(packages) == sorted(set(packages))


def test_every_exception_class_lives_in_an_errors_module(trees: Mapping[str, ast.Module]) -> None:
    elsewhere = [f"{path} {name}" for path, name in _exceptions(trees) if PurePosixPath(path).name != "errors.py"]
    assert elsewhere == []


def test_every_exception_class_derives_from_the_one_root(trees: Mapping[str, ast.Module]) -> None:
    rootless = set(_exceptions(trees)) - _heirs(trees, {"MargError"})
    assert sorted(rootless) == [("runtime/marg_runtime/errors.py", "MargError")]


def test_the_tree_in_an_errors_docstring_lists_every_exception_of_the_module(trees: Mapping[str, ast.Module]) -> None:
    drawn = {path: set(re.findall(r"\w+", ast.get_docstring(tree) or "")) for path, tree in trees.items()}
    assert [f"{path} {name}" for path, name in _exceptions(trees) if name not in drawn[path]] == []
