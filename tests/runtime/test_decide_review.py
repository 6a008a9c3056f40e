"""The review: from the summary to one step that is asked again, and back to a new summary, with no model call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.domain import Domain
from marg_runtime.events.step import ReviewClosed, ReviewOpened, StepReopened, StepSkipped, SummaryShown
from marg_runtime.events.turn import ReplyOutcome
from marg_runtime.events.write import GateDecided
from marg_runtime.steps import confirm_step, review_step

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

CHANGE = "Change something"
BACK = "Back to the summary"


@pytest.fixture
def desk(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> Desk:
    """A desk whose domain has a review, at the summary."""
    desk = make_desk(domain=domain_with(review=review_step()))
    desk.to_summary()
    return desk


def reviewing(desk: Desk) -> Desk:
    desk.tap(CHANGE)
    return desk


def labels(desk: Desk) -> list[str]:
    return [option.label for option in desk.block.options]


def outcomes(desk: Desk) -> list[str]:
    return [event.outcome for event in desk.events(ReplyOutcome)]


def test_a_domain_without_a_review_offers_none(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.to_summary()
    assert labels(desk) == ["Create", "Not yet"]


def test_the_summary_has_a_third_tap(desk: Desk) -> None:
    assert labels(desk) == ["Create", "Not yet", CHANGE]


def test_the_review_has_an_option_for_each_step_that_has_ended_and_one_that_leads_back(desk: Desk) -> None:
    reviewing(desk)
    assert (desk.block.kind, desk.block.step, labels(desk)) == (
        "review",
        "review",
        ["Title", "Place", "Urgency", "Note", BACK],
    )


def test_the_review_shows_what_stands(desk: Desk) -> None:
    assert [row.value for row in reviewing(desk).block.rows] == ["Lamp broken", "Office", "High"]


def test_no_model_is_called_on_the_way_to_a_new_summary(desk: Desk) -> None:
    before = len(desk.model.received)
    reviewing(desk).tap("Place")
    desk.tap("Office")
    assert (len(desk.model.received), desk.block.kind) == (before, "summary")


def test_exactly_one_step_is_asked_again(desk: Desk) -> None:
    reviewing(desk).tap("Place")
    assert [(event.step, event.because) for event in desk.events(StepReopened)] == [("place", "review")]
    assert (desk.block.step, desk.values) == ("place", {"title": "Lamp broken", "urgency": "high"})


def test_S1_the_same_answer_owes_nothing_else(desk: Desk) -> None:
    reviewing(desk).tap("Place")
    desk.tap("Office")
    assert desk.values == {"title": "Lamp broken", "place": "office", "urgency": "high"}


def test_S1_another_answer_owes_what_depends_on_it(desk: Desk) -> None:
    reviewing(desk).tap("Place")
    desk.tap("Home")
    assert (desk.block.step, desk.values) == ("urgency", {"title": "Lamp broken", "place": "home"})


def test_the_way_back_draws_a_new_summary(desk: Desk) -> None:
    old = desk.block
    reviewing(desk).tap(BACK)
    assert (desk.block.kind, desk.block.rows, desk.block.question != old.question) == ("summary", old.rows, True)


def test_G5_the_old_summary_is_void_once_the_review_is_open(desk: Desk, writes_on: None) -> None:
    old = desk.block
    reviewing(desk).tap("Create", block=old)
    assert (desk.writes, desk.last.texts[0].text, desk.block.kind) == ([], desk.domain.lines.stale, "review")


def test_G2_a_typed_yes_at_the_review_is_no_go_ahead(desk: Desk, writes_on: None) -> None:
    reviewing(desk)
    desk.hear("It is on the card.")
    desk.say("yes")
    assert (desk.writes, desk.events(GateDecided), desk.block.kind) == ([], [], "review")


def test_G4_the_summary_after_a_review_has_to_be_shown_before_it_is_confirmed(desk: Desk, writes_on: None) -> None:
    reviewing(desk).tap(BACK)
    desk.say("yes")
    assert (len(desk.writes), desk.block.kind) == (1, "receipt")


@pytest.mark.parametrize("text", ["change something", "Change something please", "edit", "change"])
def test_the_review_is_reached_by_typing(desk: Desk, text: str) -> None:
    before = len(desk.model.received)
    desk.say(text)
    assert (desk.block.kind, outcomes(desk)[-1], len(desk.model.received)) == ("review", "review", before)


@pytest.mark.parametrize("text", ["change the place", "yes but change something", "I changed something at home"])
def test_R1_more_than_that_is_content(desk: Desk, text: str) -> None:
    desk.hear("What is it?")
    desk.say(text)
    assert (desk.block.kind, outcomes(desk)[-1]) == ("summary", "digress")


@pytest.mark.parametrize("text", ["place", "Place, please", "the second one"])
def test_the_section_is_chosen_by_typing(desk: Desk, text: str) -> None:
    reviewing(desk).say(text)
    assert (desk.block.step, outcomes(desk)[-1]) == ("place", "answer")


@pytest.mark.parametrize("text", ["nothing", "no", "never mind", "keep it", "no changes", BACK])
def test_typing_leads_back_too(desk: Desk, text: str) -> None:
    before = len(desk.model.received)
    reviewing(desk).say(text)
    assert (desk.block.kind, len(desk.model.received)) == ("summary", before)


def test_a_reload_draws_the_review_again(desk: Desk) -> None:
    block = reviewing(desk).block
    assert desk.reload().block == block


def test_a_change_by_the_model_voids_the_review_and_draws_the_new_summary(desk: Desk) -> None:
    reviewing(desk)
    desk.hear(desk.propose("title", "Chair broken"))
    desk.hear("Changed.")
    desk.say("oh, it is Chair broken")
    assert (desk.block.kind, desk.block.rows[0].value, outcomes(desk)[-1]) == ("summary", "Chair broken", "correct")


def test_S5_never_mind_at_a_step_that_is_asked_again_puts_it_back(desk: Desk) -> None:
    reviewing(desk).tap("Title")
    before = len(desk.model.received)
    desk.say("never mind")
    assert (desk.block.kind, desk.values["title"], outcomes(desk)[-1]) == ("summary", "Lamp broken", "cancel")
    assert len(desk.model.received) == before


def test_a_text_that_is_asked_again_can_be_kept_with_a_tap(desk: Desk) -> None:
    reviewing(desk).tap("Title")
    assert labels(desk) == ["Keep “Lamp broken”"]
    desk.tap("Keep “Lamp broken”")
    assert (desk.block.kind, desk.values["title"]) == ("summary", "Lamp broken")


def test_a_kept_value_keeps_where_it_came_from(desk: Desk) -> None:
    before = desk.state.draft.values["title"]
    reviewing(desk).tap("Title")
    desk.tap("Keep “Lamp broken”")
    assert desk.state.draft.values["title"] == before


def test_a_skipped_step_can_be_filled_in(desk: Desk) -> None:
    reviewing(desk).tap("Note")
    desk.say("it flickers")
    assert (desk.block.kind, desk.values["note"]) == ("summary", "it flickers")


def test_never_mind_at_a_skipped_step_skips_it_again(desk: Desk) -> None:
    reviewing(desk).tap("Note")
    desk.say("never mind")
    assert (desk.block.kind, "note" in desk.values) == ("summary", False)


def test_only_a_tap_opens_a_click_only_review(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    desk = make_desk(domain=domain_with(review=review_step(policy="click_only")))
    desk.to_summary()
    desk.hear("Tap the card.")
    desk.say("change something")
    assert desk.block.kind == "summary"


def test_only_a_tap_opens_the_review_of_a_click_only_confirmation(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    confirm = confirm_step(label="Ticket", lead="Create it?", policy="click_only")
    desk = make_desk(domain=domain_with(review=review_step(), confirm=confirm))
    desk.to_summary()
    desk.hear("Tap the card.")
    desk.say("change something")
    assert desk.block.kind == "summary"


def test_the_ledger_says_how_the_review_went(desk: Desk) -> None:
    reviewing(desk).tap("Place")
    [opened], [closed] = desk.events(ReviewOpened), desk.events(ReviewClosed)
    assert (opened.question, closed.step) == (desk.events(SummaryShown)[0].question, "place")


def test_a_second_review_follows_the_first(desk: Desk) -> None:
    reviewing(desk).tap("Place")
    desk.tap("Office")
    reviewing(desk).tap("Title")
    desk.say("Chair broken")
    assert [row.value for row in desk.block.rows] == ["Chair broken", "Office", "High"]


def test_a_double_tap_on_change_something_is_stale_the_second_time(desk: Desk) -> None:
    old = desk.block
    reviewing(desk).tap(CHANGE, block=old)
    assert (desk.last.texts[0].text, desk.block.kind) == (desk.domain.lines.stale, "review")


def test_S5_never_mind_at_a_step_whose_ground_has_changed_puts_nothing_back(desk: Desk) -> None:
    reviewing(desk).tap("Place")
    desk.tap("Home")
    desk.hear("All right.")
    desk.say("never mind")
    assert (desk.block.step, "urgency" in desk.values, outcomes(desk)[-1]) == ("urgency", False, "cancel")


def test_S5_never_mind_never_skips_a_required_step_that_was_only_being_asked(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    steps = domain_with().steps
    depending = (*steps[:1], replace(steps[1], depends_on=("title",)), *steps[2:])
    desk = make_desk(domain=domain_with(steps=depending))
    desk.to_place()
    desk.hear(desk.propose("title", "Chair broken"))
    desk.hear("Changed.")
    desk.say("it is Chair broken")
    desk.hear("All right.")
    desk.say("never mind")
    assert (desk.block.step, desk.events(StepSkipped), outcomes(desk)[-1]) == ("place", [], "cancel")
