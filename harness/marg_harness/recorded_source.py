"""Recorded replies as what plays the model's part: each turn is answered with what was said in it, whatever was asked.

Whether the same was asked is told by the digests of the requests, which are on record on both sides.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from marg_harness.errors import NotRecorded
from marg_harness.stop import IN_THE_SCENARIO
from marg_mock_model import UndeclaredSituation
from marg_mock_model.machine import Transition
from marg_mock_model.slip import Slip, SlipKind
from marg_reports import ScenarioRecord, TurnRecord
from marg_reports.record_reading import read_record
from marg_runtime.conversation import ModelRequest
from marg_runtime.model import Delta
from marg_runtime.models.recorded import RecordedReply, read_reply


@dataclass(frozen=True, kw_only=True)
class Unanswered:
    """A request that the machine had no answer to, after what it had said before: it has none again."""

    said: str
    path: str
    line: int


TurnReplies: TypeAlias = Mapping[str, tuple[RecordedReply | Unanswered, ...]]
"""The replies of each turn by its id, in order."""

_UNDECLARED = re.compile(rf"\A(?P<path>.+?):(?P<line>\d+): (?P<said>.*)\. {re.escape(IN_THE_SCENARIO)}\Z", re.DOTALL)


def recorded_replies(path: Path) -> Mapping[tuple[str, str], TurnReplies]:
    """The replies in a run's record, by the scenario's path and title; only of scenarios that have any.

    Raises RecordError for what is no run record, UsageError for a reply that is none.
    """
    place = path.resolve()
    # Read once for all conversations, and again only where the file is another one.
    stamp = place.stat().st_mtime_ns if place.is_file() else 0
    return _read(place, stamp)


@cache
def _read(path: Path, stamp: int) -> Mapping[tuple[str, str], TurnReplies]:
    del stamp
    run = read_record(path)
    return {(one.path, one.title): _of(one) for one in run.scenarios if any(turn.replies for turn in one.turns)}


def _of(scenario: ScenarioRecord) -> TurnReplies:
    return {turn.id: (*(read_reply(reply) for reply in turn.replies), *_unanswered(turn)) for turn in scenario.turns}


def _unanswered(turn: TurnRecord) -> Iterator[Unanswered]:
    for check in turn.checks:
        found = _UNDECLARED.match(check.got) if check.kind == "undeclared" and isinstance(check.got, str) else None
        if found is not None:
            yield Unanswered(said=found["said"], path=found["path"], line=int(found["line"]))


class RecordedSource:
    """Plays recorded replies: to a request that was recorded its own, to another the next of the turn's."""

    taken: Sequence[Transition] = ()
    slips: Sequence[Slip] = ()

    def __init__(self, turns: TurnReplies) -> None:
        self._turns = turns
        self._left: list[RecordedReply | Unanswered] = []

    def begin(self, turns: Sequence[str]) -> None:
        """The turns whose requests come next, by id; several were sent at once."""
        self._left = [reply for turn in turns for reply in self._turns.get(turn, ())]

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The recorded reply, in the same pieces. Raises NotRecorded where there is none, or none that is whole, and
        UndeclaredSituation where the machine had none either."""
        reply = self._next(request)
        if isinstance(reply, Unanswered):
            raise UndeclaredSituation(reply.said, path=reply.path, line=reply.line, state="", situation=reply.said)
        if not reply.whole:
            raise NotRecorded(f"the recorded reply broke ({reply.kind}); how it would have ended is not on record")
        for delta in reply.deltas:
            yield delta

    def slip_next(self, kind: SlipKind) -> None:
        """Nothing: a reply that slipped is on record as it was."""

    def stand_aside(self, request: ModelRequest, *, to: str | None = None) -> None:
        """Nothing: a scripted reply was none of the model's, then as now."""

    def _next(self, request: ModelRequest) -> RecordedReply | Unanswered:
        if not self._left:
            raise NotRecorded("the turn asks the model more often than it did when its replies were recorded")
        own = (
            place
            for place, reply in enumerate(self._left)
            if isinstance(reply, RecordedReply) and reply.request == request.digest
        )
        return self._left.pop(next(own, 0))
