"""Recorded replies as what plays the model's part: each turn is answered with what was said in it, whatever was asked.

Whether the same was asked is told by the digests of the requests, which are on record on both sides.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from marg_harness.errors import NotRecorded
from marg_mock_model.machine import Transition
from marg_mock_model.slip import Slip, SlipKind
from marg_reports import ScenarioRecord
from marg_reports.record_reading import read_record
from marg_runtime.conversation import ModelRequest
from marg_runtime.models.model import Delta
from marg_runtime.models.recorded import RecordedReply, read_reply

TurnReplies: TypeAlias = Mapping[str, tuple[RecordedReply, ...]]
"""The replies of each turn by its id, in order."""


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
    return {turn.id: tuple(read_reply(reply) for reply in turn.replies) for turn in scenario.turns}


class RecordedSource:
    """Plays recorded replies: to a request that was recorded its own, to another the next of the turn's."""

    taken: Sequence[Transition] = ()
    slips: Sequence[Slip] = ()

    def __init__(self, turns: TurnReplies) -> None:
        self._turns = turns
        self._left: list[RecordedReply] = []

    def begin(self, turns: Sequence[str]) -> None:
        """The turns whose requests come next, by id; several were sent at once."""
        self._left = [reply for turn in turns for reply in self._turns.get(turn, ())]

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The recorded reply, in the same pieces. Raises NotRecorded where there is none, or none that is whole."""
        reply = self._next(request)
        if not reply.whole:
            raise NotRecorded(f"the recorded reply broke ({reply.kind}); how it would have ended is not on record")
        for delta in reply.deltas:
            yield delta

    def slip_next(self, kind: SlipKind) -> None:
        """Nothing: a reply that slipped is on record as it was."""

    def stand_aside(self, request: ModelRequest, *, to: str | None = None) -> None:
        """Nothing: a scripted reply was none of the model's, then as now."""

    def _next(self, request: ModelRequest) -> RecordedReply:
        if not self._left:
            raise NotRecorded("the turn asks the model more often than it did when its replies were recorded")
        own = (place for place, reply in enumerate(self._left) if reply.request == request.digest)
        return self._left.pop(next(own, 0))
