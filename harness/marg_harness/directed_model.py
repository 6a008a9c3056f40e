"""The mock model under a scenario's direction: a turn's scripted replies go before what the machine would say."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from marg_harness.errors import WorkerDied
from marg_harness.paths import shown_path
from marg_harness.recorded_source import RecordedSource
from marg_harness.source import Source
from marg_mock_model.machine import Transition
from marg_mock_model.pieces import pieces
from marg_mock_model.slip import Slip, SlipKind
from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.errors import ModelError
from marg_runtime.model import CallDelta, Delta, Finish, TextDelta
from marg_runtime.models.recorded import RecordedReply, RecordingModel
from marg_scenarios.override import ScriptedReply


@dataclass(frozen=True, kw_only=True)
class Received:
    """A request that the model received, and the turn of the session that it came in."""

    turn: int
    request: ModelRequest


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A transition that answered, or a slip that happened and its kind, by `file:line`, and the turn of the session."""

    turn: int
    place: str
    slip: str | None = None


@dataclass(frozen=True, kw_only=True)
class Said:
    """A reply of the machine's that is put on record, and the turn of the session."""

    turn: int
    reply: RecordedReply


class DirectedModel:
    """A model that plays a turn's scripted replies in order, then the machine.

    turn: the turn of the session that is being served. `requests` are all that were received, `taken` what of the
    machine answered them, `said` its replies, where they are put on record.
    """

    def __init__(self, machine: Source, *, turn: Callable[[], int], recorded: bool = False) -> None:
        self.requests: list[Received] = []
        self.said: list[Said] = []
        self._recorded = recorded
        self.taken: list[Taken] = []
        self._machine = machine
        self._turn = turn
        self._replies: deque[ScriptedReply] = deque()
        self._unslipped: list[SlipKind] = []

    def direct(self, replies: Iterable[ScriptedReply], *, turns: Sequence[str] = ()) -> None:
        """The replies of the turn that begins; those of the one before that were not played are gone. turns: its id,
        or those of its parts."""
        self._replies = deque(replies)
        self._unslipped = []
        if isinstance(self._machine, RecordedSource):
            self._machine.begin(turns)

    def unused(self) -> tuple[str, ...]:
        """What of the turn's script was not played, in words."""
        left = len(self._replies)
        replies = (f"{left} scripted {'reply' if left == 1 else 'replies'} of the model's",) if left else ()
        return (*replies, *(f"the slip {kind!r}, which the machine's reply does not fit," for kind in self._unslipped))

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The next scripted reply, or the machine's; raises as `MockModel` does, and what a script says."""
        self.requests.append(Received(turn=self._turn(), request=request))
        if not self._replies:
            async for delta in self._played(request):
                yield delta
            return
        reply = self._replies.popleft()
        if reply.slip is not None:
            async for delta in self._slipped(request, reply.slip):
                yield delta
            return
        self._machine.stand_aside(request, to=reply.to)
        for piece in pieces(reply.text):
            yield TextDelta(text=piece)
        for number, call in enumerate(reply.calls):
            yield CallDelta(call=ModelCall(id=f"scripted-{number + 1}", name=call.tool, arguments=call.arguments))
        if reply.crashes:
            raise WorkerDied("the runtime died while the model spoke")
        if reply.broken == "error":
            raise ModelError("the stream broke")
        if reply.broken is None:
            yield Finish(reason=reply.finish)

    async def _slipped(self, request: ModelRequest, kind: SlipKind) -> AsyncIterator[Delta]:
        """The machine's own reply, which slips so."""
        slips = len(self._machine.slips)
        self._machine.slip_next(kind)
        async for delta in self._played(request):
            yield delta
        if kind not in {slip.kind for slip in self._machine.slips[slips:]}:
            self._unslipped.append(kind)

    async def _played(self, request: ModelRequest) -> AsyncIterator[Delta]:
        transitions, slips = len(self._machine.taken), len(self._machine.slips)
        counted = False
        deltas = self._heard(request) if self._recorded else self._machine.stream(request)
        async for delta in deltas:
            if not counted:
                counted = True
                self.taken += [self._place(one) for one in self._machine.taken[transitions:]]
                self.taken += [self._place(one, slip=one.kind) for one in self._machine.slips[slips:]]
            yield delta

    async def _heard(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The machine's reply, put on record."""
        recording, turn = RecordingModel(self._machine), self._turn()
        try:
            async for delta in recording.stream(request):
                yield delta
        finally:
            self.said += [Said(turn=turn, reply=reply) for reply in recording.replies]

    def _place(self, used: Transition | Slip, *, slip: str | None = None) -> Taken:
        return Taken(turn=self._turn(), place=f"{shown_path(Path(used.path))}:{used.line}", slip=slip)
