"""The mock model: a machine that plays the model's part, behind the interface of any model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from marg_mock_model.answer import NO_SEED, Place, UnlistedCall, answer_to
from marg_mock_model.machine import Machine, Transition, unused
from marg_mock_model.situation import answered_by
from marg_mock_model.slip import SLIP_KINDS, Draw, Slip, SlipKind
from marg_runtime.conversation import ModelRequest
from marg_runtime.model import Delta


class MockModel:
    """A model that answers as its machine says, and refuses what the machine does not declare.

    One of these plays one conversation. `received` holds the requests, `taken` the transitions, `slips` the slips,
    `unlisted` the calls of tools that were not offered, all in order; `state` is the current state's name. Slips are
    drawn with `draw`: its seed, the scenario's name, and other rates than the file's.
    """

    def __init__(self, machine: Machine, *, draw: Draw = NO_SEED) -> None:
        self.machine = machine
        self.draw = draw
        self.slips: list[Slip] = []
        self.received: list[ModelRequest] = []
        self.taken: list[Transition] = []
        self.unlisted: list[UnlistedCall] = []
        self._place = Place(state=machine.start)
        self._answered: ModelRequest | None = None
        self._asked: SlipKind | None = None

    @property
    def state(self) -> str:
        """The current state's name."""
        return self._place.state

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The machine's reply, a word or a part of one at a time, then its calls, then the end.

        Raises UndeclaredSituation where no transition of the current state fits; the state is then as it was.
        """
        self.received.append(request)
        answered = answered_by(request, self._answered)
        draw, self._asked = _asked_for(self.draw, self._asked), None
        answer = answer_to(request, machine=self.machine, place=self._place, answered=answered, draw=draw)
        self.taken.append(answer.transition)
        self.slips += [] if answer.slip is None else [answer.slip]
        self.unlisted += answer.unlisted
        # The state moves before the first piece goes out: a listener that hangs up does not change what was said.
        self._place, self._answered = answer.place, request
        for delta in answer.deltas():
            yield delta

    def slip_next(self, kind: SlipKind) -> None:
        """Have the next reply slip so and in no other way, whatever would be drawn; `slips` says whether it could."""
        self._asked = kind

    def stand_aside(self, request: ModelRequest, *, to: str | None = None) -> None:
        """Take note of a request that somebody else answers in the machine's place; `to` is the state after it."""
        self.received.append(request)
        self._place, self._answered = replace(self._place, state=to or self.state), request

    def unused_transitions(self) -> tuple[Transition, ...]:
        """The machine's transitions that this conversation did not take."""
        return unused(self.machine, self.taken)


def _asked_for(draw: Draw, kind: SlipKind | None) -> Draw:
    """The draw of a reply that is to slip in one way; without one, the draw as it is."""
    if kind is None:
        return draw
    return replace(draw, rates={other: float(other == kind) for other in SLIP_KINDS})
