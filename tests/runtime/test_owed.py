"""A new release asks what is owed under it: guard and fold hold a draft against the steps that there are now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain, Problem, SlotStep
from marg_runtime.events.turn import SessionOpened
from marg_runtime.events.write import GateDecided
from marg_runtime.gate import GoAhead, guard_layer
from marg_runtime.steps import Field, Option, chips_step, form_step
from marg_runtime.surroundings import Surroundings

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CONSENT = chips_step(
    key="consent",
    label="Consent",
    slot="consent",
    lead="May we store it?",
    options=[Option(label="I agree", value="yes")],
)


def released(desk: Desk, domain: Domain) -> None:
    """Go on with the session under another release of its domain."""
    desk.domain = domain
    desk.reopen()


def taking(desk: Desk, *more: str) -> tuple[Any, ...]:
    """The tools of the desk, with a write that takes further arguments."""
    properties: dict[str, Json] = {name: {} for name in (*desk.domain.slots, "confirmed", *more)}
    return tuple(
        replace(spec, input_schema={"type": "object", "properties": properties}) if spec.tool == desk.CREATE else spec
        for spec in desk.SPECS
    )


def without_place(steps: tuple[SlotStep, ...]) -> tuple[SlotStep, ...]:
    return tuple(replace(step, depends_on=()) for step in steps if step.key != "place")


def guard_refuses(desk: Desk, around: Surroundings) -> str:
    """What the guard says of a fresh go-ahead for the open summary."""
    question = desk.state.question
    assert question is not None
    assert question.delivered_at is not None
    go = GoAhead(by="tap", question=question.id, seen=question.revision, queued=question.delivered_at + 1)
    state = replace(desk.state, turn=desk.state.turn + 1)
    return guard_layer(surroundings=around, state=state, tool=desk.CREATE, go_ahead=go).reason


def test_G4_the_guard_refuses_while_a_step_is_owed(desk: Desk) -> None:
    desk.to_summary()
    domain = replace(desk.domain, steps=(*desk.domain.steps, CONSENT))
    assert "'Consent' is still to be asked" in guard_refuses(desk, desk.surroundings(domain=domain))


def test_G4_the_guard_refuses_what_the_domain_finds_wrong_now(desk: Desk) -> None:
    desk.to_summary()

    def validate(values: Mapping[str, Json]) -> tuple[Problem, ...]:
        return (Problem(slot="place", text="The office is closed."),)

    domain = replace(desk.domain, validate=validate)
    assert "The office is closed." in guard_refuses(desk, desk.surroundings(domain=domain))


def test_G6_the_guard_refuses_what_the_domain_cannot_judge(desk: Desk) -> None:
    desk.to_summary()

    def validate(values: Mapping[str, Json]) -> tuple[Problem, ...]:
        raise KeyError("floor")

    domain = replace(desk.domain, validate=validate)
    assert "could not be checked" in guard_refuses(desk, desk.surroundings(domain=domain))


def test_G6_the_guard_allows_a_draft_of_which_nothing_is_owed(desk: Desk) -> None:
    desk.to_summary()
    assert guard_refuses(desk, desk.surroundings()).startswith("a plain go-ahead")


def test_C6_the_session_keeps_how_its_steps_ask(desk: Desk) -> None:
    (opened,) = desk.events(SessionOpened)
    assert [step.key for step in opened.steps] == ["title", "place", "urgency", "note", "confirm"]


def test_C6_the_same_steps_open_a_session_once(desk: Desk) -> None:
    desk.reopen()
    assert len(desk.events(SessionOpened)) == 1


def test_C6_a_summary_of_an_earlier_release_is_void(make_desk: MakeDesk, writes_on: None) -> None:
    desk = make_desk()
    desk = make_desk(specs=taking(desk, "consent"))
    desk.to_summary()
    released(desk, replace(desk.domain, steps=(*desk.domain.steps, CONSENT)))
    desk.tap("Create")
    assert (desk.writes, desk.events(GateDecided), desk.block.step) == ([], [], "consent")


def test_C6_a_question_whose_step_is_gone_is_closed(desk: Desk) -> None:
    desk.to_place()
    released(desk, replace(desk.domain, steps=without_place(desk.domain.steps)))
    desk.tap("Office")
    assert desk.block.step == "urgency"


def test_C6_a_question_that_is_asked_as_before_stays_open(desk: Desk) -> None:
    desk.to_place()
    released(desk, replace(desk.domain, skill=f"{desk.domain.skill} Be kind."))
    desk.tap("Office")
    assert desk.values["place"] == "office"


def test_G5_a_value_whose_step_is_gone_is_not_sent(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    released(desk, replace(desk.domain, steps=without_place(desk.domain.steps)))
    desk.reload()
    desk.tap("Create")
    assert [set(call.arguments) - {"confirmed"} for call in desk.writes] == [{"title", "urgency"}]


def form(*slots: str) -> SlotStep:
    fields = [Field(slot=slot, label=slot.upper()) for slot in slots]
    return form_step(key="details", label="Details", lead="Which?", fields=fields)


@pytest.fixture
def at_form(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> Desk:
    """A desk at a form of one field, with a backend that takes a second."""
    domain = domain_with(steps=(form("a"),))
    desk = make_desk(domain=domain)
    desk = make_desk(domain=domain, specs=taking(desk, "b"))
    desk.hear("Hello.")
    desk.say("hello")
    return desk


def test_C6_a_form_that_gained_a_field_is_drawn_anew(at_form: Desk) -> None:
    old = at_form.block
    released(at_form, replace(at_form.domain, steps=(form("a", "b"),)))
    at_form.submit(old, a="1")
    assert [field.slot for field in at_form.block.fields] == ["a", "b"]


def test_C6_a_form_that_had_ended_is_owed_again_with_what_was_in_it(at_form: Desk) -> None:
    at_form.submit(a="1")
    released(at_form, replace(at_form.domain, steps=(form("a", "b"),)))
    at_form.reload()
    assert [(field.slot, field.value) for field in at_form.block.fields] == [("a", "1"), ("b", "")]
