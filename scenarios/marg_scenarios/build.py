"""Scenarios in Python: the same objects as those of a file, with the place of the calls as their file and line.

    greeting = scenario("a greeting", domain="support_intake", turns=[say("Hello", expect={"block": "title"})])

Keys and values are those of the file; `expect`, `model` and `tools` are mappings as they would stand there. What does
not fit raises LocatedError with the file and line of the call.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from marg_mock_model import Document, NodePath
from marg_mock_model.tree import Node
from marg_runtime.errors import UsageError
from marg_scenarios.loader import build_scenarios
from marg_scenarios.scenario import Scenario

Given: TypeAlias = "Mapping[str, Any] | Sequence[Any] | str | int | bool | None"


@dataclass(frozen=True, kw_only=True)
class Part:
    """A turn, or a use of a fixture, and the line of the call that made it."""

    node: Mapping[str, Any]
    line: int


def say(text: str, **keys: Given) -> Part:
    """The user types."""
    return _part("say", text, keys)


def tap(option: str, *, of: str | None = None, **keys: Given) -> Part:
    """The user taps the option of this label."""
    return _part("tap", option if of is None else {"option": option, "of": of}, keys)


def submit(
    values: Mapping[str, str] | None = None,
    *,
    choose: Sequence[str] | None = None,
    of: str | None = None,
    **keys: Given,
) -> Part:
    """The user sends fields, or options by their labels."""
    sent = {"values": None if values is None else dict(values), "choose": choose, "of": of}
    return _part("submit", {key: value for key, value in sent.items() if value is not None}, keys)


def search(query: str | None = None, *, page: str = "first", of: str | None = None, **keys: Given) -> Part:
    """The user searches in a picker, or moves to another of its pages."""
    sent = {"query": query, "page": page, "of": of}
    return _part("search", {key: value for key, value in sent.items() if value is not None}, keys)


def forge(forged: Mapping[str, Any] | None = None, **keys: Given) -> Part:
    """A client makes up a tap or a submit: `question`, `revision`, `option`, `values`, `of`."""
    return _part("forge", dict(forged or {}), keys)


def reload(**keys: Given) -> Part:
    """The client asks for what is open."""
    return _part("reload", True, keys)


def wait(milliseconds: int, **keys: Given) -> Part:
    """Time passes."""
    return _part("wait", milliseconds, keys)


def restart(**keys: Given) -> Part:
    """The runtime is started anew."""
    return _part("restart", True, keys)


def concurrent(*acts: Part, **keys: Given) -> Part:
    """Acts that are sent at once, and served in this order."""
    return _part("concurrent", list(acts), keys)


def use(fixture: str, *, given: Mapping[str, Any] | None = None, **keys: Given) -> Part:
    """The turns of a fixture in this place; `given` is what a file calls `with`."""
    return _part("use", fixture, {**keys, **({} if given is None else {"with": dict(given)})})


def scenario(name: str, *, turns: Sequence[Part], **keys: Given) -> Scenario:
    """A scenario without rows. `keys` are those of a file; a fixture is a list of turns, or a mapping with `turns`."""
    found = _scenarios(name, turns, keys)
    if len(found) != 1:
        raise UsageError(f"the scenario {name!r} has {len(found)} rows; build it with 'scenarios'.")
    return found[0]


def scenarios(name: str, *, turns: Sequence[Part], **keys: Given) -> tuple[Scenario, ...]:
    """A scenario with rows: one for each."""
    return _scenarios(name, turns, keys)


def _scenarios(name: str, turns: Sequence[Part], keys: Mapping[str, Any]) -> tuple[Scenario, ...]:
    # Two frames up: whoever called `scenario` or `scenarios`.
    caller = sys._getframe(2)
    path = Path(caller.f_code.co_filename)
    tree = _Lines(lines={(): caller.f_lineno})
    fixtures = {
        fixture: given if isinstance(given, Mapping) else {"turns": given}
        for fixture, given in (keys.get("fixtures") or {}).items()
    }
    others = {key: below for key, below in keys.items() if below is not None and key != "fixtures"}
    others |= {"fixtures": fixtures} if fixtures else {}
    root = tree.node({"scenario": name, **others, "turns": list(turns)}, ())
    document = Document(path=str(path), root=cast("Mapping[str, Node]", root), lines=tree.lines)
    return build_scenarios(document, path=path)


def _part(act: str, value: object, keys: Mapping[str, Any]) -> Part:
    given = {key: below for key, below in keys.items() if below is not None}
    return Part(node={act: value, **given}, line=sys._getframe(2).f_lineno)


@dataclass(kw_only=True)
class _Lines:
    """The lines of a tree that is made of parts."""

    lines: dict[NodePath, int]

    def node(self, value: Any, place: NodePath) -> Any:
        """A value as a file's tree has it; texts stay texts, whatever they look like."""
        if isinstance(value, Part):
            self.lines[place] = value.line
            value = value.node
        if isinstance(value, Mapping):
            return {str(key): self.node(below, (*place, str(key))) for key, below in value.items()}
        if isinstance(value, list | tuple):
            return [self.node(below, (*place, number)) for number, below in enumerate(value)]
        return value
