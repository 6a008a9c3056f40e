"""What comes next: the open question, the next owed step, the summary, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain, Problem
from marg_runtime.events.model import ModelCalled
from marg_runtime.events.step import DraftInvalid, QuestionDrawn, StepReopened
from marg_runtime.owed import is_owed, next_step
from marg_runtime.state import State
from marg_runtime.steps import text_step

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


def after(*ended: str, reopened: str | None = None) -> State:
    return State(ended=frozenset(ended), reopened=reopened)


def asked(domain: Domain, state: State) -> str | None:
    step = next_step(domain, state)
    return step.key if step else None


def test_S1_a_step_is_owed_when_what_it_depends_on_has_ended(domain_with: Callable[..., Domain]) -> None:
    urgency = domain_with().steps[2]
    assert [is_owed(urgency, after()), is_owed(urgency, after("place"))] == [False, True]


def test_S1_a_step_that_has_ended_is_not_owed(domain_with: Callable[..., Domain]) -> None:
    assert not is_owed(domain_with().steps[0], after("title"))


def test_S1_the_first_owed_step_is_next(domain_with: Callable[..., Domain]) -> None:
    assert asked(domain_with(), after("title")) == "place"


def test_S1_a_step_whose_time_has_not_come_is_passed_over(domain_with: Callable[..., Domain]) -> None:
    steps = domain_with().steps
    reordered = domain_with(steps=(steps[1], steps[2], steps[0]))
    assert asked(reordered, after("place", "urgency")) == "title"


def test_S1_an_optional_step_is_owed_once(domain_with: Callable[..., Domain]) -> None:
    assert asked(domain_with(), after("title", "place", "urgency")) == "note"


def test_S1_nothing_is_owed_when_all_have_ended(domain_with: Callable[..., Domain]) -> None:
    assert asked(domain_with(), after("title", "place", "urgency", "note")) is None


def test_S1_a_reopened_step_comes_before_the_first(domain_with: Callable[..., Domain]) -> None:
    assert asked(domain_with(), after(reopened="note")) == "note"


def test_S1_a_reopened_step_whose_time_has_not_come_waits(domain_with: Callable[..., Domain]) -> None:
    assert asked(domain_with(), after(reopened="urgency")) == "title"


def test_S1_the_whole_way_is_asked_in_the_order_of_the_domain_with_one_model_call(desk: Desk) -> None:
    desk.to_summary()
    drawn = [event.step for event in desk.events(QuestionDrawn)]
    assert (drawn, len(desk.events(ModelCalled))) == (["title", "place", "urgency", "note", "confirm"], 1)


def test_S1_the_last_settle_flows_into_the_summary_in_the_same_reply(desk: Desk) -> None:
    desk.to_note()
    assert desk.tap("Skip").block == desk.block
    assert desk.block.kind == "summary"


# Validation


def too_bright(values: Mapping[str, Json]) -> tuple[Problem, ...]:
    bright = values.get("title") == "bright lamp"
    return (Problem(slot="title", text="That is too bright."),) if bright else ()


def test_S1_a_draft_that_does_not_validate_asks_for_the_slot_again(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(validate=too_bright))
    desk.to_place(title="bright lamp")
    for label in ("Office", "High", "Skip"):
        desk.tap(label)
    assert (desk.block.step, desk.texts("runtime")) == ("title", ["That is too bright."])


def test_S1_a_draft_that_does_not_validate_has_no_summary(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(validate=too_bright))
    desk.to_place(title="bright lamp")
    for label in ("Office", "High", "Skip"):
        desk.tap(label)
    assert (desk.state.summary, desk.events(DraftInvalid)) == (
        None,
        [DraftInvalid(slot="title", problem="That is too bright.")],
    )


def test_S1_the_corrected_draft_flows_into_the_summary(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    desk = make_desk(domain=domain_with(validate=too_bright))
    desk.to_place(title="bright lamp")
    for label in ("Office", "High", "Skip"):
        desk.tap(label)
    desk.say("dim lamp")
    assert (desk.block.kind, desk.block.rows[0].value) == ("summary", "dim lamp")


def test_S1_an_invalid_slot_reopens_what_depends_on_it(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    def no_office(values: Mapping[str, Json]) -> tuple[Problem, ...]:
        return (Problem(slot="place", text="The office is closed."),) if values.get("place") == "office" else ()

    desk = make_desk(domain=domain_with(validate=no_office))
    desk.to_summary()
    reopened = [(event.step, event.because) for event in desk.events(StepReopened)]
    assert (reopened, desk.block.step) == ([("place", "invalid"), ("urgency", "dependency")], "place")


def test_S1_a_problem_of_no_step_is_told_and_there_is_no_summary(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    def closed(values: Mapping[str, Json]) -> tuple[Problem, ...]:
        return (Problem(slot="desk", text="The desk is closed."),)

    desk = make_desk(domain=domain_with(validate=closed))
    answer = desk.to_summary()
    assert ([said.text for said in answer.texts], answer.block, desk.state.summary) == (
        ["The desk is closed."],
        None,
        None,
    )


def test_C2_a_domain_whose_check_breaks_does_not_hold_up_the_acts_behind(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    def broken(values: Mapping[str, Json]) -> tuple[Problem, ...]:
        raise RuntimeError("a bug in a domain")

    desk = make_desk(domain=domain_with(validate=broken))
    before = desk.to_note().block
    with pytest.raises(RuntimeError, match="a bug in a domain"):
        desk.tap("Skip")
    assert desk.reload().block == before


# Nothing to draw


def test_a_domain_of_optional_steps_alone_can_be_confirmed(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    step = text_step(key="note", label="Note", slot="note", lead="Note?", required=False)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    desk.say("no")
    assert (desk.block.kind, desk.block.rows) == ("summary", ())


def test_G9_after_the_write_no_question_follows(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    desk.hear("You are welcome.")
    assert desk.say("thank you, that was all I needed").block is None


def test_G9_a_reload_after_the_write_draws_the_receipt_again(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    receipt = desk.say("yes").block
    again = desk.reload().block
    assert receipt is not None
    assert again is not None
    assert replace(again, revision=0) == replace(receipt, revision=0)
