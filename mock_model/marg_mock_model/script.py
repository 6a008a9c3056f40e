"""What a machine says at one point, before any name or number of the conversation is put on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from marg_mock_model.template import fill_value
from marg_runtime.canonical import Json
from marg_runtime.model import FinishReason


@dataclass(frozen=True, kw_only=True)
class Call:
    """A tool call that the model makes; every text in the arguments is a template."""

    tool: str
    arguments: Mapping[str, Json]
    path: str
    line: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ScriptCall:
    """A call with its templates filled."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True, slots=True)
class Script:
    """A reply with its templates filled: what is said, called, and why it ends."""

    text: str
    calls: tuple[ScriptCall, ...]
    finish: FinishReason


def filled_calls(calls: tuple[Call, ...], groups: Mapping[str, str]) -> tuple[ScriptCall, ...]:
    """The calls with the groups of a pattern in their arguments."""
    return tuple(
        ScriptCall(tool=call.tool, arguments={key: fill_value(v, groups) for key, v in call.arguments.items()})
        for call in calls
    )
