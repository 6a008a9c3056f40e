"""What is wrong with one node of a file, in a person's words, from pydantic's errors."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from marg_mock_model.hint import nearest, show
from marg_mock_model.known_keys import known_keys
from marg_mock_model.tree import NodePath

# pydantic's error types, by the start of their name, as what the file should have had.
_EXPECTED = {
    "string": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping",
    "mapping": "a mapping",
    "model": "a mapping",
}
_SHAPE_ERRORS = ("_type", "_parsing", "_from_float")


@dataclass(frozen=True, kw_only=True)
class Complaint:
    """What is wrong, and the path of the node in the file."""

    path: NodePath
    text: str


@dataclass(frozen=True, kw_only=True)
class _Error:
    """An error of pydantic's and its place: `path` in the file, and the member of a union that `branch` names."""

    detail: ErrorDetails
    path: NodePath
    branch: tuple[NodePath, str] | None

    @property
    def is_shape(self) -> bool:
        """Whether the node as a whole is of the wrong kind."""
        if self.detail["type"] == "literal_error":
            return not isinstance(self.detail["input"], str)
        return self.detail["type"].endswith(_SHAPE_ERRORS)


def complaints(error: ValidationError, *, model: type[BaseModel], root: Mapping[str, Any]) -> list[Complaint]:
    """A complaint for each place where the input does not fit the model, in pydantic's order."""
    # A file cannot write None, so the None of an optional field was never meant.
    details = [detail for detail in error.errors(include_url=False) if detail["type"] != "none_required"]
    located = [_locate(detail, root) for detail in details]
    found = _without_echoes(_chosen_branches(located))
    return [
        Complaint(path=same[0].path, text=_text([e.detail for e in same], path=same[0].path, model=model))
        for same in _by_place(found)
    ]


def _locate(detail: ErrorDetails, root: Any) -> _Error:
    """The error with its path in the file: pydantic's own path also names members of unions and validators."""
    path: list[str | int] = []
    branch: tuple[NodePath, str] | None = None
    node = root
    for step in detail["loc"]:
        if _has(node, step):
            path.append(step)
            node = node[step]
        elif branch is None and step != "[key]":
            branch = (tuple(path), str(step))
    if detail["type"] == "missing":
        # The last step is the key that is not there.
        branch = None if branch is not None and len(detail["loc"]) == len(path) + 1 else branch
    return _Error(detail=detail, path=tuple(path), branch=branch)


def _has(node: Any, step: str | int) -> bool:
    return step in node if isinstance(node, dict) else isinstance(node, list) and isinstance(step, int)


def _chosen_branches(errors: list[_Error]) -> list[_Error]:
    """The errors without those of union members that were not meant.

    Pydantic reports every member of a union. The one meant is of the node's own kind and has the fewest errors.
    """
    chosen = {place: _meant(place, errors) for place in dict.fromkeys(e.branch[0] for e in errors if e.branch)}
    return [e for e in errors if e.branch is None or e.branch[1] in chosen[e.branch[0]]]


def _meant(place: NodePath, errors: list[_Error]) -> list[str]:
    counts: dict[str, int] = {}
    wrong_kind: set[str] = set()
    for e in errors:
        if e.branch is not None and e.branch[0] == place:
            counts[e.branch[1]] = counts.get(e.branch[1], 0) + 1
            if e.is_shape and e.path == place:
                wrong_kind.add(e.branch[1])
    right_kind = [name for name in counts if name not in wrong_kind]
    return sorted(right_kind, key=lambda name: counts[name])[:1] or list(counts)


def _without_echoes(errors: list[_Error]) -> list[_Error]:
    """The errors without those that another one explains."""
    unknown = [(e.path[:-1], str(e.path[-1])) for e in errors if e.detail["type"] == "extra_forbidden"]
    return [e for e in errors if not (_is_misspelt(e, unknown) or _is_long_enough(e.detail))]


def _is_misspelt(error: _Error, unknown: list[tuple[NodePath, str]]) -> bool:
    """Whether the missing key is there, but misspelt."""
    if error.detail["type"] != "missing":
        return False
    key = str(error.detail["loc"][-1])
    return any(at == error.path and difflib.get_close_matches(word, [key]) for at, word in unknown)


def _is_long_enough(detail: ErrorDetails) -> bool:
    # Pydantic counts only the valid entries of a tuple: the invalid ones have errors of their own.
    return detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]


def _by_place(errors: list[_Error]) -> Iterator[list[_Error]]:
    """Errors of shape at one place are one complaint (text or a list expected); any other stands alone."""
    shapes: dict[NodePath, list[_Error]] = {}
    for e in errors:
        if e.is_shape:
            shapes.setdefault(e.path, []).append(e)
    for e in errors:
        if not e.is_shape:
            yield [e]
        elif e.path in shapes:
            yield shapes.pop(e.path)


def _text(details: list[ErrorDetails], *, path: NodePath, model: type[BaseModel]) -> str:
    first = details[0]
    kind, value = first["type"], first["input"]
    where = "the file" if not path else f"{path[-1]!r}" if isinstance(path[-1], str) else "this entry"
    if kind == "extra_forbidden":
        known = known_keys(model, tuple(first["loc"][:-1]))
        return f"unknown key {where} with the value {show(value)}; {nearest(str(path[-1]), known)}"
    if kind == "missing":
        return f"the key {first['loc'][-1]!r} is missing{f' in {where}' if path else ''}; add it."
    if kind == "literal_error":
        allowed = re.findall(r"'([^']*)'", first["ctx"]["expected"])
        hint = nearest(str(value), allowed) if allowed else f"expected {first['ctx']['expected']}."
        return f"{where} is {show(value)}; {hint}"
    if kind == "too_short":
        return f"{where} is {show(value)}; expected {first['ctx']['min_length']} or more."
    if kind == "too_long":
        return f"{where} is {show(value)}; expected {first['ctx']['max_length']} at most."
    if kind == "value_error":
        reason = str(first["ctx"]["error"]).rstrip(".")
        return f"{where} is {show(value)}: {reason}." if isinstance(value, str) else f"{where}: {reason}."
    expected = list(dict.fromkeys(filter(None, (_EXPECTED.get(d["type"].split("_")[0]) for d in details))))
    if kind.endswith(_SHAPE_ERRORS) and expected:
        return f"{where} is {show(value)}; expected {' or '.join(expected)}."
    return f"{where} is {show(value)}: {first['msg'][:1].lower()}{first['msg'][1:]}."
