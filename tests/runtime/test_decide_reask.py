"""What a typed message came to, and what is offered once too many of them came to nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.domain import Domain
from marg_runtime.errors import ModelError, UsageError
from marg_runtime.events.turn import ReplyOutcome
from marg_runtime.steps import chips_step, confirm_step, review_step, text_step
from marg_runtime.steps.step import REASK_BUDGET

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

TAP_PLACE = "You can answer with a tap: Office, Home."


def outcomes(desk: Desk) -> list[str]:
    return [event.outcome for event in desk.events(ReplyOutcome)]


def lines(desk: Desk) -> list[str]:
    return [said.text for said in desk.last.texts if said.by == "runtime"]


def stray(desk: Desk, *texts: str) -> None:
    """Type messages that answer nothing; the model says something to each."""
    for text in texts:
        desk.hear("I see.")
        desk.say(text)


def test_the_first_message_of_all_has_no_outcome_for_nothing_was_asked(desk: Desk) -> None:
    desk.to_title()
    assert outcomes(desk) == []


@pytest.mark.parametrize(
    ("reach", "text", "outcome"),
    [
        ("to_title", "Lamp broken", "answer"),
        ("to_place", "Office", "answer"),
        ("to_note", "no", "skip"),
        ("to_note", "never mind", "cancel"),
        ("to_place", "cancel", "cancel"),
        ("to_place", "why do you ask?", "digress"),
        ("to_place", "yes", "digress"),
        ("to_summary", "yes", "go_ahead"),
        ("to_summary", "no", "decline"),
        ("to_summary", "what happens then?", "digress"),
    ],
)
def test_S5_each_outcome_of_a_message_is_another_word_in_the_ledger(
    desk: Desk, reach: str, text: str, outcome: str
) -> None:
    getattr(desk, reach)()
    desk.hear("I see.")
    desk.say(text)
    assert outcomes(desk)[-1] == outcome


def test_S5_a_change_of_what_was_settled_is_a_correction(desk: Desk) -> None:
    desk.to_place()
    desk.hear(desk.propose("title", "Chair broken"))
    desk.hear("Changed.")
    desk.say("no wait, Chair broken")
    assert (outcomes(desk)[-1], desk.block.step) == ("correct", "place")


def test_a_re_opened_step_is_a_correction(desk: Desk) -> None:
    desk.to_urgency()
    desk.hear(desk.call("reopen", step="place"))
    desk.hear("Of course.")
    desk.say("somewhere else, please")
    assert (outcomes(desk)[-1], desk.block.step) == ("correct", "place")


@pytest.mark.parametrize("reach", ["to_title", "to_place", "to_urgency", "to_note", "to_summary"])
def test_a_digression_leaves_the_very_card_that_was_open(desk: Desk, reach: str) -> None:
    getattr(desk, reach)()
    block = desk.block
    stray(desk, "what is this about?")
    assert desk.block == block


def test_a_digression_while_the_model_breaks_leaves_the_card_too(desk: Desk) -> None:
    desk.to_summary()
    block = desk.block
    desk.break_off("Well, ", ModelError("gone"))
    desk.say("what is this about?")
    assert (desk.block, outcomes(desk)[-1]) == (block, "digress")


def test_within_the_budget_nothing_is_said(desk: Desk) -> None:
    desk.to_place()
    stray(desk, *["oui"] * (REASK_BUDGET - 1))
    assert lines(desk) == []


def test_a_reply_that_no_vocabulary_knows_is_not_asked_again_for_ever(desk: Desk) -> None:
    desk.to_place()
    stray(desk, *["oui"] * REASK_BUDGET)
    assert lines(desk) == [TAP_PLACE]


def test_what_is_offered_leaves_the_card_as_it_is(desk: Desk) -> None:
    desk.to_place()
    block = desk.block
    stray(desk, *["oui"] * (REASK_BUDGET + 1))
    assert (desk.block, lines(desk)) == (block, [TAP_PLACE])


def test_a_message_that_is_bound_to_nothing_counts_too(desk: Desk) -> None:
    desk.to_place()
    for _ in range(REASK_BUDGET):
        desk.hear("I see.")
        desk.say("Office", seen=None)
    assert lines(desk) == [TAP_PLACE]


def test_the_next_question_begins_anew(desk: Desk) -> None:
    desk.to_place()
    stray(desk, *["oui"] * REASK_BUDGET)
    desk.tap("Office")
    stray(desk, "oui")
    assert lines(desk) == []


def test_a_correction_is_not_counted(desk: Desk) -> None:
    desk.to_place()
    for title in ("Chair broken", "Desk broken", "Door broken"):
        desk.hear(desk.propose("title", title))
        desk.hear("Changed.")
        desk.say(f"no, {title}")
    assert lines(desk) == []


def test_the_summary_says_what_can_be_tapped(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    desk = make_desk(domain=domain_with(review=review_step()))
    desk.to_summary()
    stray(desk, *["oui"] * REASK_BUDGET)
    assert lines(desk) == ["You can answer with a tap: Create, Not yet, Change something."]


def test_the_review_says_it_too(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    desk = make_desk(domain=domain_with(review=review_step(reask_budget=1)))
    desk.to_summary()
    desk.tap("Change something")
    stray(desk, "oui")
    assert lines(desk) == ["You can answer with a tap: Title, Place, Urgency, Note, Back to the summary."]


def test_a_text_gets_the_words_that_were_typed_to_tap(desk: Desk) -> None:
    desk.to_title()
    stray(desk, "yes", "what do you mean?", "yes")
    assert [option.label for option in desk.block.options] == ["Use “yes”"]
    desk.tap("Use “yes”")
    assert (desk.values["title"], desk.block.step) == ("yes", "place")


def test_an_optional_text_keeps_its_skip(desk: Desk) -> None:
    desk.to_note()
    stray(desk, *["what do you mean?"] * REASK_BUDGET)
    assert [option.label for option in desk.block.options] == ["Use “what do you mean?”", "Skip"]


def test_G3_a_text_with_more_to_tap_is_another_question(desk: Desk) -> None:
    desk.to_note()
    old = desk.block
    stray(desk, *["what do you mean?"] * REASK_BUDGET)
    desk.tap("Skip", block=old)
    assert (desk.last.texts[0].text, desk.block.step) == (desk.domain.lines.stale, "note")


def test_long_words_are_shortened_on_the_tap_and_whole_behind_it(desk: Desk) -> None:
    words = "Why does the lamp on the second floor, next to the stairs, flicker so?"
    desk.to_title()
    stray(desk, *[words] * REASK_BUDGET)
    [option] = desk.block.options
    assert (len(option.label) < len(words), option.label.endswith("…”")) == (True, True)
    desk.tap(option.label)
    assert (desk.values["title"], desk.state.draft.values["title"].label) == (words, words)


def tagged(make_desk: MakeDesk, domain_with: Callable[..., Domain], *texts: str) -> Desk:
    """A desk whose one step takes a list of texts, after messages that answer nothing."""
    tags = text_step(key="tags", label="Tags", slot="tags", lead="Which tags?", many=True, reask_budget=1)
    desk = make_desk(domain=domain_with(steps=(tags,)))
    desk.hear("Hello.")
    desk.say("hello")
    stray(desk, *texts)
    return desk


def test_a_list_gets_the_items_of_the_words_to_tap(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    desk = tagged(make_desk, domain_with, "red, green?")
    desk.tap("Use “red, green?”")
    assert desk.values == {"tags": ["red", "green?"]}


def test_words_without_an_item_are_not_offered(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    assert tagged(make_desk, domain_with, "yes").block.options != ()
    assert tagged(make_desk, domain_with, ",").block.options == ()


def test_words_that_do_not_fit_are_not_offered(desk: Desk) -> None:
    desk.to_title()
    stray(desk, *["why? " * 20] * REASK_BUDGET)
    assert (desk.block.options, lines(desk)) == ((), [desk.domain.lines.use_field])


def test_a_step_may_have_a_budget_of_its_own(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    steps = tuple(replace(step, reask_budget=1) for step in domain_with().steps)
    desk = make_desk(domain=domain_with(steps=steps))
    desk.to_place()
    stray(desk, "oui")
    assert lines(desk) == [TAP_PLACE]


def test_where_only_a_tap_counts_the_user_is_told(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    desk = make_desk(domain=domain_with(policy="click_only"))
    desk.to_summary()
    stray(desk, *["yes"] * REASK_BUDGET)
    assert lines(desk) == ["You can answer with a tap: Create, Not yet."]


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_below_one_is_refused(budget: int) -> None:
    makes: list[Callable[[], object]] = [
        lambda: text_step(key="k", label="K", slot="k", lead="?", reask_budget=budget),
        lambda: chips_step(key="k", label="K", slot="k", lead="?", options=[], reask_budget=budget),
        lambda: confirm_step(label="K", lead="?", reask_budget=budget),
        lambda: review_step(reask_budget=budget),
    ]
    for make in makes:
        with pytest.raises(UsageError, match=f"reask_budget is at least 1, got {budget}"):
            make()
