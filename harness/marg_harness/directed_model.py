"""The mock model under a scenario's direction: a turn's scripted replies go before what the machine would say."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass

from marg_harness.errors import WorkerDied
from marg_mock_model import MockModel
from marg_mock_model.pieces import pieces
from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.errors import ModelError
from marg_runtime.models.model import CallDelta, Delta, Finish, TextDelta
from marg_scenarios.override import ScriptedReply


@dataclass(frozen=True, kw_only=True)
class Received:
    """A request that the model received, and the turn of the session that it came in."""

    turn: int
    request: ModelRequest


class DirectedModel:
    """A model that plays a turn's scripted replies in order, then the machine.

    turn: the turn of the session that is being served. `requests` are all that were received.
    """

    def __init__(self, machine: MockModel, *, turn: Callable[[], int]) -> None:
        self.requests: list[Received] = []
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
            async for delta in self._machine.stream(request):
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
