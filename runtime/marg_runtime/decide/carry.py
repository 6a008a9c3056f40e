"""Settled values go into every later tool call; the model's own version of them never stands (rule S2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from marg_runtime.canonical import Json, canonical_json
from marg_runtime.draft import Draft
from marg_runtime.surroundings import takes
from marg_runtime.tools.tool import ToolSpec


@dataclass(frozen=True, kw_only=True)
class Override:
    """An argument whose given value did not stand."""

    argument: str
    given: Json
    used: Json


@dataclass(frozen=True, kw_only=True)
class Carried:
    """The arguments as they are sent, and what of the model's did not stand."""

    arguments: Mapping[str, Json]
    overrides: tuple[Override, ...]


def carry(arguments: Mapping[str, Json], *, draft: Draft, spec: ToolSpec) -> Carried:
    """The arguments with settled values in the place of the model's, and added where the tool takes them."""
    settled = draft.arguments()
    used = {name: settled[name] for name in settled if name in arguments or takes(spec, name)}
    overrides = tuple(
        Override(argument=name, given=arguments[name], used=value)
        for name, value in used.items()
        if name in arguments and canonical_json(arguments[name]) != canonical_json(value)
    )
    return Carried(arguments={**arguments, **used}, overrides=overrides)
