"""A turn of a scenario: the act, what its client had displayed, and the checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from marg_scenarios.checks.check import Check


@dataclass(frozen=True, kw_only=True)
class SayTurn:
    """The user types."""

    text: str


@dataclass(frozen=True, kw_only=True)
class TapTurn:
    """The user taps an option by its label, on the last block shown or on the one of a named turn."""

    option: str
    of: str | None = None


@dataclass(frozen=True, kw_only=True)
class SubmitTurn:
    """The user submits fields, of the last block shown or of the one of a named turn."""

    values: Mapping[str, str]
    of: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReloadTurn:
    """The user's client asks for what is open."""


ScriptedAct: TypeAlias = SayTurn | TapTurn | SubmitTurn | ReloadTurn


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One user act and what must follow.

    seen: `latest`, `previous`, `absent` or a turn's id. line: in the scenario's file.
    """

    id: str
    act: ScriptedAct
    seen: str
    checks: tuple[Check, ...]
    line: int
