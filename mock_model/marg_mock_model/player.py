"""The mock model: a machine that plays the model's part, behind the interface of any model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count

from marg_mock_model.errors import UndeclaredSituation
from marg_mock_model.machine import Machine, Matching, State, Transition, unused
from marg_mock_model.situation import Situation, situation_of
from marg_mock_model.template import fill, fill_value
from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.models.model import CallDelta, Delta, Finish, TextDelta

# A word with the space before it, long words in pieces: what reads the stream must cope with a sentence in parts.
_PIECE = re.compile(r"\s*\S{1,12}|\s+")


@dataclass(frozen=True, kw_only=True)
class UnlistedCall:
    """A call that a transition made of a tool that the request did not offer."""

    call: ModelCall
    transition: Transition


class MockModel:
    """A model that answers as its machine says, and refuses what the machine does not declare.

    One of these plays one conversation. `received` holds the requests, `taken` the transitions, `unlisted` the calls
    of tools that were not offered, all in order; `state` is the current state's name.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.state = machine.start
        self.received: list[ModelRequest] = []
        self.taken: list[Transition] = []
        self.unlisted: list[UnlistedCall] = []
        self._answered: ModelRequest | None = None
        self._ids = (f"call-{number}" for number in count(1))

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The machine's reply, a word or a part of one at a time, then its calls, then the end.

        Raises UndeclaredSituation where no transition of the current state fits; the state is then as it was.
        """
        self.received.append(request)
        situation = situation_of(request, answered=self._answered)
        chosen = choose(self.machine.states[self.state], situation)
        transition = chosen.transition
        calls = self._calls(chosen, request)
        self.taken.append(transition)
        # The state moves before the first piece goes out: a listener that hangs up does not change what was said.
        self.state, self._answered = transition.to, request
        for piece in pieces(fill(transition.reply, chosen.matching.groups)):
            yield TextDelta(text=piece)
        for call in calls:
            yield CallDelta(call=call)
        yield Finish(reason=transition.finish)

    def unused_transitions(self) -> tuple[Transition, ...]:
        """The machine's transitions that this conversation did not take."""
        return unused(self.machine, self.taken)

    def _calls(self, chosen: Chosen, request: ModelRequest) -> list[ModelCall]:
        offered = {spec.name for spec in request.tools}
        calls = []
        for scripted in chosen.transition.calls:
            arguments = {key: fill_value(v, chosen.matching.groups) for key, v in scripted.arguments.items()}
            call = ModelCall(id=next(self._ids), name=scripted.tool, arguments=arguments)
            calls.append(call)
            if call.name not in offered:
                self.unlisted.append(UnlistedCall(call=call, transition=chosen.transition))
        return calls


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """A transition, and how the situation fits it."""

    transition: Transition
    matching: Matching


def choose(state: State, situation: Situation) -> Chosen:
    """The first transition of a state whose guards all hold; raises UndeclaredSituation where there is none."""
    tried = [Chosen(transition=t, matching=t.when.matching(situation)) for t in state.transitions]
    for chosen in tried:
        if not chosen.matching.failed:
            return chosen
    # The nearest has the most guards that hold, then the fewest that do not, then is the first.
    near = min(tried, key=lambda c: (-len(c.matching.held), len(c.matching.failed)))
    raise UndeclaredSituation(_undeclared(state, situation, near), path=state.path, line=state.line, state=state.name)


def _undeclared(state: State, situation: Situation, near: Chosen) -> str:
    at = f"{near.transition.path}:{near.transition.line}"
    failed = " and ".join(f"{guard} at {guard.path}:{guard.line}" for guard in near.matching.failed)
    return (
        f"the mock model's state {state.name!r} declares nothing for what it was shown: {situation}. "
        f"Nearest is the transition at {at}, where {len(near.matching.held)} of {len(near.transition.when.guards)} "
        f"guards hold, but not {failed}. Add a transition to the state, or correct the guard."
    )


def pieces(text: str) -> list[str]:
    """A text in the pieces that it is streamed in; joined they are the text."""
    return _PIECE.findall(text)
