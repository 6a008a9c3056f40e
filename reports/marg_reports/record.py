"""The record of a run: runs, scenarios, turns and checks, as JSON Lines.

The harness writes these; nothing in them depends on the clock, the machine or the order in which scenarios ran, so the
same inputs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from marg_runtime.canonical import Json

Owner = Literal["runtime", "model"]
Speaker = Literal["user", "model", "runtime", "block"]
FORMAT_VERSION = 1
Raised = Literal["nothing", "runtime", "check", "machine"]
StopKind = Literal["crash", "undeclared", "not_shown", "network", "unrecorded"]
STOPPING: tuple[str, ...] = get_args(StopKind)
UNUSED = "unused"
WRITTEN = "written"
ONLY_RED: tuple[str, ...] = (*STOPPING, UNUSED, WRITTEN)
"""Kinds of check that are put on record only where they fail: a turn that was played without one has passed it."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of the transcript: who, and what."""

    by: Speaker
    text: str


@dataclass(frozen=True, kw_only=True)
class CheckRecord:
    """One check on one turn. `line` is in the scenario's file, or in `file`, a fixture's; `expected`, `got` are JSON.

    A turn that stopped the scenario has a check of a `StopKind`: `crash` (something raised), `undeclared` (the mock
    machine has no answer; owner model), `not_shown` (the script answers what was not shown), `network` (something
    tried to reach one), `unrecorded` (no reply is on record for what was asked; never measured).
    A check of the kind `unused` is a scripted reply or a tool's fault that nobody met; one of the kind `written` is a
    write that the backend counted and that no check of the scenario looked at.
    raised: whose error it was, where the check failed because of one. measured: False where the target does not report
    what the check looks at, or cannot do what the scenario asks for; then it has not passed and is no red, and `got`
    says why.
    """

    id: str
    kind: str
    owner: Owner
    line: int
    passed: bool
    expected: Json
    got: Json
    file: str | None = None
    raised: Raised = "nothing"
    measured: bool = True

    @property
    def red(self) -> bool:
        """Whether it was measured and failed."""
        return self.measured and not self.passed


@dataclass(frozen=True, kw_only=True)
class TurnRecord:
    """One turn: its checks, what was said and shown in it, the digests of the model requests, the ledger's part.

    line: in the scenario's file, or in `file`, a fixture's. taken: what of the machine answered, `file:line` of its
    transitions and slips; slips: the kinds of those. wire: what happened on the wire. replies: what the model sent, a
    list of pieces for each call, where it was put on record.
    """

    id: str
    line: int
    checks: tuple[CheckRecord, ...]
    transcript: tuple[Line, ...]
    request_digests: tuple[str, ...]
    events: tuple[Json, ...]
    file: str | None = None
    taken: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()
    wire: tuple[Json, ...] = ()
    replies: tuple[Json, ...] = ()

    @property
    def stopped(self) -> bool:
        """Whether the scenario went no further than this turn."""
        return any(check.kind in STOPPING for check in self.checks)

    @property
    def red(self) -> bool:
        """Whether a check of the turn failed."""
        return any(check.red for check in self.checks)


@dataclass(frozen=True, kw_only=True)
class ScenarioRecord:
    """One scenario, or one row of it. `writes`: what the backend itself counted, None where nobody says so;
    `turns_planned`: how many turns are written; `tags`: words to find it by."""

    name: str
    path: str
    line: int
    turns: tuple[TurnRecord, ...]
    turns_planned: int
    writes: int | None
    row: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name, with the row's id: `name[row]`."""
        return self.name if self.row is None else f"{self.name}[{self.row}]"

    @property
    def checks(self) -> tuple[CheckRecord, ...]:
        """All checks that were made, in order."""
        return tuple(check for turn in self.turns for check in turn.checks)


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """One run of scenarios, in the order of their paths. settings: how the model was played, where not as written."""

    version: str
    scenarios: tuple[ScenarioRecord, ...]
    settings: Mapping[str, Json] = field(default_factory=dict)

    def scenario(self, *, path: str, title: str) -> ScenarioRecord | None:
        """The scenario of a path and a title, the first of several; None where there is none."""
        return self._by_place.get((path, title))

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, str], ScenarioRecord]:
        return {(one.path, one.title): one for one in reversed(self.scenarios)}

    def reds(self) -> tuple[Red, ...]:
        """Every failed check, with where it stands."""
        return self._those(lambda check: check.red)

    def unmeasured(self) -> tuple[Red, ...]:
        """Every check that could not be measured, with where it stands; none of them is a red."""
        return self._those(lambda check: not check.measured)

    def _those(self, chosen: Callable[[CheckRecord], bool]) -> tuple[Red, ...]:
        return tuple(
            Red(scenario=scenario, turn=number, check=check)
            for scenario in self.scenarios
            for number, turn in enumerate(scenario.turns)
            for check in turn.checks
            if chosen(check)
        )


@dataclass(frozen=True, kw_only=True)
class Red:
    """A failed check, or one that was not measured: its scenario, the number of its turn in it (from 0), the check."""

    scenario: ScenarioRecord
    turn: int
    check: CheckRecord

    @property
    def turn_record(self) -> TurnRecord:
        """The turn that it stands in."""
        return self.scenario.turns[self.turn]

    @property
    def id(self) -> str:
        """`path::scenario[row]::turn::check`, the same as long as the scenario keeps its names."""
        return f"{self.scenario.path}::{self.scenario.title}::{self.turn_record.id}::{self.check.id}"

    @property
    def place(self) -> str:
        """`file:line` of the check, in the scenario's file or a fixture's."""
        return f"{self.check.file or self.scenario.path}:{self.check.line}"
