"""The machine's answer to one request: pure, from the place where the conversation stands to the place after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from marg_mock_model.errors import UndeclaredSituation
from marg_mock_model.machine import Machine, Matching, State, Transition
from marg_mock_model.pieces import pieces
from marg_mock_model.situation import Situation, situation_of
from marg_mock_model.template import fill, fill_value
from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.models.model import CallDelta, Delta, Finish, FinishReason, TextDelta


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a conversation stands: the state's name, and how many calls the machine has made in it."""

    state: str
    calls: int = 0


@dataclass(frozen=True, kw_only=True)
class UnlistedCall:
    """A call that a transition made of a tool that the request did not offer."""

    call: ModelCall
    transition: Transition


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the machine answers, the transition that it took, and where the conversation stands then."""

    transition: Transition
    text: str
    calls: tuple[ModelCall, ...]
    finish: FinishReason
    unlisted: tuple[UnlistedCall, ...]
    place: Place

    def deltas(self) -> Iterator[Delta]:
        """The answer as it is streamed: a word or a part of one at a time, then the calls, then the end."""
        for piece in pieces(self.text):
            yield TextDelta(text=piece)
        for call in self.calls:
            yield CallDelta(call=call)
        yield Finish(reason=self.finish)


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """A transition, and how the situation fits it."""

    transition: Transition
    matching: Matching


def answer_to(request: ModelRequest, *, machine: Machine, place: Place, answered: int = 0) -> Answer:
    """What a machine answers at a place; `answered` counts the messages of the request that were answered before.

    Raises UndeclaredSituation where no transition of the place's state fits.
    """
    chosen = choose(machine.states[place.state], situation_of(request, answered=answered))
    transition, groups = chosen.transition, chosen.matching.groups
    calls = tuple(
        ModelCall(
            id=f"call-{place.calls + number}",
            name=scripted.tool,
            arguments={key: fill_value(value, groups) for key, value in scripted.arguments.items()},
        )
        for number, scripted in enumerate(transition.calls, start=1)
    )
    offered = {spec.name for spec in request.tools}
    return Answer(
        transition=transition,
        text=fill(transition.reply, groups),
        calls=calls,
        finish=transition.finish,
        unlisted=tuple(UnlistedCall(call=c, transition=transition) for c in calls if c.name not in offered),
        place=Place(state=transition.to, calls=place.calls + len(calls)),
    )


def choose(state: State, situation: Situation) -> Chosen:
    """The first transition of a state whose guards all hold; raises UndeclaredSituation where there is none."""
    tried = []
    for transition in state.transitions:
        chosen = Chosen(transition=transition, matching=transition.when.matching(situation))
        if not chosen.matching.failed:
            return chosen
        tried.append(chosen)
    # The nearest has the most guards that hold, then the fewest that do not, then is the first.
    near = min(tried, key=lambda c: (-len(c.matching.held), len(c.matching.failed)))
    raise UndeclaredSituation(
        _undeclared(state, situation, near),
        path=state.path,
        line=state.line,
        state=state.name,
        situation=str(situation),
    )


def _undeclared(state: State, situation: Situation, near: Chosen) -> str:
    at = f"{near.transition.path}:{near.transition.line}"
    failed = " and ".join(f"{guard} at {guard.path}:{guard.line}" for guard in near.matching.failed)
    return (
        f"the mock model's state {state.name!r} declares nothing for what it was shown: {situation}. "
        f"Nearest is the transition at {at}, where {len(near.matching.held)} of {len(near.transition.when.guards)} "
        f"guards hold, but not {failed}. Add a transition to the state, or correct the guard."
    )
