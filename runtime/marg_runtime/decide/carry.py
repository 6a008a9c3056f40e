"""Settled values go into every later tool call; the model's own version of them never stands (rule S2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from marg_runtime.canonical import Json, canonical_json
from marg_runtime.domain import RESERVED_SLOTS
from marg_runtime.draft import Draft
from marg_runtime.surroundings import takes
from marg_runtime.tools.tool import ToolSpec


@dataclass(frozen=True, kw_only=True)
class Override:
    """An argument whose given value did not stand: by its name, or its path (`filter.title`, `rows[0].title`).

    dropped: it is an argument of the runtime's own, and was taken out.
    """

    argument: str
    given: Json
    used: Json
    dropped: bool = False


@dataclass(frozen=True, kw_only=True)
class Carried:
    """The arguments as they are sent, and what of the model's did not stand."""

    arguments: Mapping[str, Json]
    overrides: tuple[Override, ...]


def carry(arguments: Mapping[str, Json], *, draft: Draft, spec: ToolSpec) -> Carried:
    """The arguments with settled values in the place of the model's, at any depth, and added where the tool takes them.

    A key of a slot's name is that slot wherever it stands: a value would else be smuggled past in an object or a list.
    """
    settled = draft.arguments()
    walk = _Walk(settled=settled)
    used = walk.mapping(arguments, path="")
    added = {name: value for name, value in settled.items() if name not in used and takes(spec, name)}
    return Carried(arguments={**used, **added}, overrides=tuple(walk.overrides))


def reserved(arguments: Mapping[str, Json]) -> tuple[Override, ...]:
    """The arguments of the runtime's own that a model gave, at any depth."""
    walk = _Walk(settled={})
    walk.mapping(arguments, path="")
    return tuple(walk.overrides)


@dataclass(kw_only=True)
class _Walk:
    """One way through the arguments of a call; keeps what did not stand, in the order in which it was met."""

    settled: Mapping[str, Json]
    overrides: list[Override] = field(default_factory=list)

    def mapping(self, given: Mapping[str, Json], *, path: str) -> dict[str, Json]:
        used: dict[str, Json] = {}
        for name, value in given.items():
            here = f"{path}.{name}" if path else name
            if name in RESERVED_SLOTS:
                self.overrides.append(Override(argument=here, given=value, used=None, dropped=True))
            elif name in self.settled:
                used[name] = self._settled(self.settled[name], given=value, path=here)
            else:
                used[name] = self._value(value, path=here)
        return used

    def _settled(self, value: Json, *, given: Json, path: str) -> Json:
        if canonical_json(given) != canonical_json(value):
            self.overrides.append(Override(argument=path, given=given, used=value))
        return value

    def _value(self, given: Json, *, path: str) -> Json:
        if isinstance(given, Mapping):
            return self.mapping(given, path=path)
        if isinstance(given, Sequence) and not isinstance(given, str):
            return [self._value(item, path=f"{path}[{number}]") for number, item in enumerate(given)]
        return given
