"""What a check may look at of a turn."""

from __future__ import annotations

from marg_runtime.acts import Reload
from marg_runtime.answer import Answer, Said
from marg_runtime.conversation import AssistantMessage, FactsMessage, ModelRequest, UserMessage
from marg_runtime.draft import Draft
from marg_runtime.events import Event
from marg_runtime.events.turn import LineSaid, Reloaded
from marg_runtime.ledger import Entry
from marg_scenarios import Observation
from marg_scenarios.observation import facts_of

EARLIER = (FactsMessage(facts=("one",)), UserMessage(text="hi"), AssistantMessage(text="ok"))
FIRST = ModelRequest(system="s", messages=(*EARLIER, FactsMessage(facts=("two",))), tools=())
SECOND = ModelRequest(system="s", messages=(*FIRST.messages, FactsMessage(facts=("three",))), tools=())


def observation(*requests: ModelRequest, told_before: int = 0) -> Observation:
    events: tuple[Event, ...] = (Reloaded(act=1, seen=None), LineSaid(text="a"), LineSaid(text="b"))
    return Observation(
        act=Reload(at=0),
        shown_before=None,
        answer=Answer(
            turn=1,
            revision=3,
            texts=(Said(by="runtime", text="a"), Said(by="model", text="m"), Said(by="runtime", text="b")),
            block=None,
        ),
        entries=tuple(Entry(revision=n, turn=1, at=0, event=event) for n, event in enumerate(events, start=1)),
        draft=Draft(id="draft-1"),
        draft_before=Draft(id="draft-1"),
        question=None,
        requests=requests,
        told_before=told_before,
        rule="r",
        writes=0,
    )


def test_events_of_a_kind_come_in_order() -> None:
    assert observation().events(LineSaid) == [LineSaid(text="a"), LineSaid(text="b")]


def test_texts_are_the_models_or_the_runtimes() -> None:
    assert (observation().texts("model"), observation().texts("runtime")) == (["m"], ["a", "b"])


def test_all_facts_of_a_request_come_in_order() -> None:
    assert facts_of(SECOND) == ["one", "two", "three"]


def test_facts_received_are_those_that_no_request_of_an_earlier_turn_had() -> None:
    assert observation(FIRST, SECOND, told_before=1).facts_received() == ["two", "three"]


def test_a_turn_without_a_request_received_no_facts() -> None:
    assert observation().facts_received() == []
