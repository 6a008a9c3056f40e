"""A turn of a scenario: the act, what its client had displayed, what is put in others' place, and the checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from marg_runtime.acts import PageMove
from marg_scenarios.checks.check import Check
from marg_scenarios.override import ScriptedReply, ToolFault


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
    """The user submits fields, or options by their labels, of the last block shown or of the one of a named turn."""

    values: Mapping[str, str] = field(default_factory=dict)
    choose: tuple[str, ...] = ()
    of: str | None = None


@dataclass(frozen=True, kw_only=True)
class SearchTurn:
    """The user looks for other options in a picker, or for another page of them."""

    query: str | None = None
    page: PageMove = "first"
    of: str | None = None


@dataclass(frozen=True, kw_only=True)
class ForgeTurn:
    """A client makes up a tap, or a submit where it has values; what is None is that of the block."""

    question: str | None = None
    revision: int | None = None
    option: str | None = None
    values: Mapping[str, str] | None = None
    of: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReloadTurn:
    """The user's client asks for what is open."""


@dataclass(frozen=True, kw_only=True)
class WaitTurn:
    """Time passes, in milliseconds."""

    milliseconds: int


@dataclass(frozen=True, kw_only=True)
class RestartTurn:
    """The runtime is started anew, and the session goes on from its ledger."""


@dataclass(frozen=True, kw_only=True)
class ConcurrentTurn:
    """Acts that are sent at once and served in this order; each is a turn with checks of its own."""

    turns: tuple[Turn, ...]


UserAct: TypeAlias = SayTurn | TapTurn | SubmitTurn | SearchTurn | ForgeTurn | ReloadTurn
ScriptedAct: TypeAlias = UserAct | WaitTurn | RestartTurn | ConcurrentTurn


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One act and what must follow.

    seen: `latest`, `previous`, `absent`, a turn's id, or a revision. replies: the model's next ones, in the place of
    the machine's. faults: what is wrong with tools in this turn, by name. line: in the scenario's file, or in `file`
    where the turn came from a fixture's.
    """

    id: str
    act: ScriptedAct
    seen: str = "latest"
    checks: tuple[Check, ...] = ()
    replies: tuple[ScriptedReply, ...] = ()
    faults: Mapping[str, ToolFault] = field(default_factory=dict)
    line: int
    file: str | None = None

    @property
    def parts(self) -> tuple[Turn, ...]:
        """The turns that are played: those of acts sent at once, else this one."""
        return self.act.turns if isinstance(self.act, ConcurrentTurn) else (self,)
