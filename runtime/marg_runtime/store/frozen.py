"""A state as text and back, exactly: what a snapshot holds. Pure, and made from the annotations of `State` alone."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

from marg_runtime import fold, ledger
from marg_runtime.canonical import Json
from marg_runtime.errors import LedgerError
from marg_runtime.events.event import EVENTS
from marg_runtime.scrub import scrub_cut
from marg_runtime.state import State


def freeze(state: State) -> str:
    """The state as text: the same state, its mappings in the same order, gives the same text, byte for byte.

    Raises LedgerError for a value that is none of what a state is made of.
    """
    return json.dumps(_packed(state), ensure_ascii=False, separators=(",", ":"))


def thaw(body: str) -> State:
    """The state of a text. Raises LedgerError for a text that `freeze` of this very release did not write."""
    try:
        state = _unpacked(json.loads(body))
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise LedgerError(f"a snapshot is damaged: {error!r}") from error
    if not isinstance(state, State):
        raise LedgerError(f"a snapshot holds no state: {scrub_cut(body, 80)!r}")
    return state


@cache
def code_digest() -> str:
    """The digest of all that decides what a fold gives: the events' versions and the code of fold, ledger, events and
    state, with every module of the runtime that these import (upcasters, canonical JSON and steps among them).

    A snapshot of another digest is ignored, so no release has to remember what it changed.
    """
    modules = {kind.__module__ for kind in (*classes().values(), *EVENTS.values())} | {fold.__name__, ledger.__name__}
    told: dict[str, Json] = _sources(modules)
    versions: dict[str, Json] = {name: kind.version for name, kind in EVENTS.items()}
    shapes: dict[str, Json] = {name: [field.name for field in fields(kind)] for name, kind in classes().items()}
    text = json.dumps([told, versions, shapes], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


_IMPORTS = re.compile(r"^from (marg_runtime[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)


def _sources(modules: Iterable[str]) -> dict[str, Json]:
    """The sources of modules and of all that they import at their top, by name, in order."""
    found: dict[str, Json] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = source = _source(name)
            for package, names in _IMPORTS.findall(source):
                below = (f"{package}.{word}" for word in re.findall(r"\w+", names))
                waiting.extend(module for module in (package, *below) if module in sys.modules)
    return dict(sorted(found.items()))


def _source(module: str) -> str:
    try:
        return inspect.getsource(sys.modules[module])
    except OSError:
        return ""  # an installation with no source: the versions and the shapes have to do


@cache
def classes() -> Mapping[str, Any]:
    """The dataclasses that a state is made of, by name: all that its annotations lead to."""
    found: dict[str, Any] = {}
    waiting: list[Any] = [State]
    while waiting:
        kind = waiting.pop()
        if kind.__name__ not in found:
            found[kind.__name__] = kind
            hints = get_type_hints(kind)
            waiting.extend(below for field in fields(kind) for below in _dataclasses(hints[field.name]))
    return dict(sorted(found.items()))


def _dataclasses(hint: Any) -> Iterator[Any]:
    if is_dataclass(hint):
        yield hint
    for argument in get_args(hint):
        yield from _dataclasses(argument)


# A list stands for everything that is no scalar, its first item says for what: lists and tuples differ in a state.
def _packed(value: Any) -> Any:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return ["tuple", *map(_packed, value)]
        case frozenset():
            return ["set", *sorted(map(_packed, value))]
        case Mapping():
            return ["map", *([key, _packed(item)] for key, item in value.items())]
        case Sequence():
            return ["list", *map(_packed, value)]
        case _ if type(value) is classes().get(type(value).__name__):
            return [type(value).__name__, *(_packed(getattr(value, field.name)) for field in fields(value))]
        case _:
            raise LedgerError(f"a state holds {value!r}, which no snapshot can")


def _unpacked(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    kind, *items = value
    match kind:
        case "tuple":
            return tuple(map(_unpacked, items))
        case "set":
            return frozenset(map(_unpacked, items))
        case "map":
            return {key: _unpacked(item) for key, item in items}
        case "list":
            return list(map(_unpacked, items))
        case _:
            names = [field.name for field in fields(classes()[kind])]
            return classes()[kind](**dict(zip(names, map(_unpacked, items), strict=True)))
