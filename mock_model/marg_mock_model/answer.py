"""The machine's answer to one request: pure, from the place where the conversation stands to the place after it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from marg_mock_model.errors import UndeclaredSituation
from marg_mock_model.machine import Machine, State, Transition
from marg_mock_model.pieces import pieces
from marg_mock_model.script import Script, filled_calls
from marg_mock_model.situation import Situation, situation_of
from marg_mock_model.slip import Draw, Slip, slipped
from marg_mock_model.template import fill, fill_value
from marg_runtime.canonical import Json, canonical_json
from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.model import CallDelta, Delta, Finish, FinishReason, TextDelta

NO_SEED = Draw()


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a conversation stands: the state's name, and how many calls the machine has made in it."""

    state: str
    calls: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class UnlistedCall:
    """A call that a transition made of a tool that the request did not offer."""

    call: ModelCall
    transition: Transition


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What the machine answers, the transition that it took, and where the conversation stands then.

    `data` is what the text says where the machine says it as JSON, else None; `slip` is what the machine did wrong,
    None where it did not.
    """

    transition: Transition
    slip: Slip | None
    text: str
    data: Json
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """A transition, and the groups that its templates may use."""

    transition: Transition
    groups: Mapping[str, str]

    def script(self) -> Script:
        """What the transition says."""
        transition, groups = self.transition, self.groups
        said = fill(transition.reply, groups)
        return Script(
            text=said if transition.data is None else canonical_json(fill_value(transition.data, groups)),
            calls=filled_calls(transition.calls, groups) if transition.calls else (),
            finish=transition.finish,
        )


def answer_to(
    request: ModelRequest, *, machine: Machine, place: Place, answered: int = 0, draw: Draw = NO_SEED
) -> Answer:
    """What a machine answers at a place; `answered` counts the messages of the request that were answered before.

    Raises UndeclaredSituation where no transition of the place's state fits.
    """
    situation = situation_of(request, answered=answered)
    chosen = choose(machine.states[place.state], situation)
    transition, script, slip = chosen.transition, chosen.script(), None
    if machine.slips:
        slip = slipped(script, state=place.state, situation=situation, slips=machine.slips, draw=draw)
        script = script if slip is None else slip.script
    calls = _calls(script, place) if script.calls else ()
    return Answer(
        transition=transition,
        slip=None if slip is None else slip.slip,
        text=script.text,
        data=transition.data if slip is None else None,
        calls=calls,
        finish=script.finish,
        unlisted=_unlisted(calls, request, transition) if calls else (),
        place=Place(state=transition.to, calls=place.calls + len(calls)),
    )


def _calls(script: Script, place: Place) -> tuple[ModelCall, ...]:
    return tuple(
        ModelCall(id=f"call-{place.calls + number}", name=call.tool, arguments=call.arguments)
        for number, call in enumerate(script.calls, start=1)
    )


def _unlisted(calls: tuple[ModelCall, ...], request: ModelRequest, transition: Transition) -> tuple[UnlistedCall, ...]:
    offered = {spec.name for spec in request.tools}
    return tuple(UnlistedCall(call=call, transition=transition) for call in calls if call.name not in offered)


def choose(state: State, situation: Situation) -> Chosen:
    """The first transition of a state whose guards all hold; raises UndeclaredSituation where there is none."""
    for transition in state.transitions:
        groups = transition.when.groups(situation)
        if groups is not None:
            return Chosen(transition=transition, groups=groups)
    raise UndeclaredSituation(
        _undeclared(state, situation),
        path=state.path,
        line=state.line,
        state=state.name,
        situation=str(situation),
    )


def _undeclared(state: State, situation: Situation) -> str:
    if not state.transitions:
        return (
            f"the mock model's state {state.name!r} ends the conversation, and was shown: {situation}. "
            "Give the state transitions instead of 'ends: true'."
        )
    tried = [(transition, transition.when.matching(situation)) for transition in state.transitions]
    # The nearest has the most guards that hold, then the fewest that do not, then is the first.
    near, matching = min(tried, key=lambda one: (-len(one[1].held), len(one[1].failed)))
    failed = " and ".join(f"{guard} at {guard.path}:{guard.line}" for guard in matching.failed)
    return (
        f"the mock model's state {state.name!r} declares nothing for what it was shown: {situation}. "
        f"Nearest is the transition at {near.path}:{near.line}, where {len(matching.held)} of "
        f"{len(near.when.guards)} guards hold, but not {failed}. Correct the guard, or add to the transitions of "
        f"{state.name!r} at {state.path}:{state.line}: {_declaration(state, situation)}"
    )


def _declaration(state: State, situation: Situation) -> str:
    """A transition that would fit, as it can be written into the machine's file."""
    when: dict[str, str] = {}
    if situation.results:
        when = {"result_of": situation.results[-1].name}
    elif situation.users:
        when = {"user": situation.users[-1]}
    elif situation.last is not None:
        when = {"last": situation.last}
    guards = ", ".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in when.items())
    return f'- {{when: {{{guards}}}, reply: "...", to: {state.name}}}'
