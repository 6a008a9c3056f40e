"""The mock model under a scenario's direction: a turn's scripted replies go before what the machine would say."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from marg_harness.errors import WorkerDied
from marg_harness.paths import shown_path
from marg_harness.source import Source
from marg_mock_model.machine import Transition
from marg_mock_model.pieces import pieces
from marg_mock_model.slip import Slip
from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.errors import ModelError
from marg_runtime.models.model import CallDelta, Delta, Finish, TextDelta
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


class DirectedModel:
    """A model that plays a turn's scripted replies in order, then the machine.

    turn: the turn of the session that is being served. `requests` are all that were received, `taken` what of the
    machine answered them.
    """

    def __init__(self, machine: Source, *, turn: Callable[[], int]) -> None:
        self.requests: list[Received] = []
        self.taken: list[Taken] = []
        self._machine = machine
        self._turn = turn
        self._replies: deque[ScriptedReply] = deque()

    def direct(self, replies: Iterable[ScriptedReply]) -> None:
        """The replies of the turn that begins; those of the one before that were not played are gone."""
        self._replies = deque(replies)

    def unused(self) -> tuple[str, ...]:
        """What of the turn's script was not played, in words."""
        left = len(self._replies)
        return (f"{left} scripted {'reply' if left == 1 else 'replies'} of the model's",) if left else ()

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The next scripted reply, or the machine's; raises as `MockModel` does, and what a script says."""
        self.requests.append(Received(turn=self._turn(), request=request))
        if not self._replies:
            async for delta in self._played(request):
                yield delta
            return
        reply = self._replies.popleft()
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

    async def _played(self, request: ModelRequest) -> AsyncIterator[Delta]:
        transitions, slips = len(self._machine.taken), len(self._machine.slips)
        counted = False
        async for delta in self._machine.stream(request):
            if not counted:
                counted = True
                self.taken += [self._place(one) for one in self._machine.taken[transitions:]]
                self.taken += [self._place(one, slip=one.kind) for one in self._machine.slips[slips:]]
            yield delta

    def _place(self, used: Transition | Slip, *, slip: str | None = None) -> Taken:
        return Taken(turn=self._turn(), place=f"{shown_path(Path(used.path))}:{used.line}", slip=slip)
