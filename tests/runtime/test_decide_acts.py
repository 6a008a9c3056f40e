"""What each act leads to: a bound answer is taken, a stale, forged or early one is refused with a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marg_runtime.acts import Say, Submit, Tap
from marg_runtime.events.model import ModelCalled
from marg_runtime.events.step import QuestionDrawn, ValueSettled
from marg_runtime.events.turn import AnswerRefused, FormSubmitted, Reloaded, ReplyRead, UserSaid, UserTapped
from marg_runtime.events.write import GateDecided, WriteClaimed

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

STALE = "That card is no longer open."


def refusals(desk: Desk) -> list[str]:
    return [event.reason for event in desk.turn() if isinstance(event, AnswerRefused)]


def settled(desk: Desk) -> list[ValueSettled]:
    return [event for event in desk.turn() if isinstance(event, ValueSettled)]


# Messages


def test_C2_a_turn_begins_with_what_was_said(desk: Desk) -> None:
    desk.to_place()
    desk.hear("Yes?")
    desk.say("what is this?")
    seen = desk.answers[-2].revision
    assert desk.turn()[0] == UserSaid(act=seen + 1, text="what is this?", seen=seen)


def test_C6_the_reading_stands_in_the_ledger_with_every_word(desk: Desk) -> None:
    desk.to_summary()
    desk.hear("Sorry?")
    desk.say("Yes, banana")
    reading = desk.events(ReplyRead)[-1]
    assert [(token.text, token.token_class) for token in reading.tokens] == [
        ("Yes", "confirm"),
        (",", "mark"),
        ("banana", "unknown"),
    ]


def test_G3_a_typed_yes_with_an_older_seen_is_content(desk: Desk) -> None:
    desk.to_summary()
    desk.hear("What do you mean?")
    desk.say("yes", seen=desk.block.revision - 1)
    assert (desk.events(ReplyRead)[-1].kind, desk.events(GateDecided)) == ("content", [])


def test_G3_the_ledger_says_why_a_message_was_unbound(desk: Desk) -> None:
    desk.to_summary()
    desk.hear("What do you mean?")
    desk.say("yes", seen=None)
    assert desk.events(ReplyRead)[-1].why[0] == "the client does not say what it had displayed"


@pytest.mark.parametrize("seen", [None, 0, 10_000])
def test_G3_a_typed_choice_that_is_unbound_settles_nothing(desk: Desk, seen: int | None) -> None:
    desk.to_place()
    desk.hear("Which?")
    desk.say("Office", seen=seen)
    assert settled(desk) == []


@pytest.mark.parametrize("seen", [None, 0, 10_000])
def test_G3_a_typed_text_that_is_unbound_settles_nothing(desk: Desk, seen: int | None) -> None:
    desk.to_title()
    desk.hear("Hm?")
    desk.say("Lamp broken", seen=seen)
    assert settled(desk) == []


def test_S1_content_draws_the_question_again_underneath(desk: Desk) -> None:
    before = desk.to_place().block
    desk.hear("It is a desk.")
    assert desk.say("what is this?").block == before


def test_G3_on_a_channel_in_order_a_message_needs_no_seen(make_desk: MakeDesk) -> None:
    desk = make_desk(in_order=True)
    desk.to_place()
    desk.say("Office", seen=None)
    assert desk.values["place"] == "office"


def test_G3_on_a_channel_in_order_an_older_seen_still_counts(make_desk: MakeDesk) -> None:
    desk = make_desk(in_order=True)
    desk.to_place()
    desk.hear("Hm?")
    desk.say("Office", seen=1)
    assert "place" not in desk.values


# Taps


def test_C2_a_turn_begins_with_the_tap(desk: Desk) -> None:
    desk.to_place()
    block = desk.block
    desk.tap("Office", seen=None)
    first = desk.turn()[0]
    assert isinstance(first, UserTapped)
    assert (first.question, first.question_revision, first.option) == (block.question, block.revision, "o1")


def test_S1_a_tap_calls_no_model(desk: Desk) -> None:
    desk.to_place()
    desk.tap("Office")
    assert not [event for event in desk.turn() if isinstance(event, ModelCalled)]


def test_G3_a_tap_needs_no_seen_for_it_names_its_revision(desk: Desk) -> None:
    desk.to_place()
    desk.tap("Office", seen=None)
    assert desk.values["place"] == "office"


def test_G3_a_tap_on_an_answered_question_is_stale(desk: Desk) -> None:
    desk.to_place()
    old = desk.block
    desk.tap("Office")
    desk.tap("Home", block=old)
    assert (refusals(desk), desk.values["place"]) == (["stale"], "office")


def test_G3_a_stale_tap_is_refused_with_a_line_and_the_open_question(desk: Desk) -> None:
    desk.to_place()
    old = desk.block
    opened = desk.tap("Office").block
    answer = desk.tap("Home", block=old)
    assert ([said.text for said in answer.texts], answer.block) == ([STALE], opened)


def test_G3_a_stale_tap_calls_no_model(desk: Desk) -> None:
    desk.to_place()
    old = desk.block
    desk.tap("Office")
    desk.tap("Home", block=old)
    assert not [event for event in desk.turn() if isinstance(event, ModelCalled)]


def test_G3_an_answer_is_spent_once(desk: Desk) -> None:
    desk.to_note()
    old = desk.block
    desk.tap("Skip")
    desk.tap("Skip", block=old)
    assert refusals(desk) == ["stale"]


@pytest.mark.parametrize("option", ["o3", "o0", "create", "Office", "", "1", "o1 "])
def test_G3_a_tap_on_an_option_that_is_not_there_settles_nothing(desk: Desk, option: str) -> None:
    desk.to_place()
    desk.tap_option(option)
    assert (refusals(desk), settled(desk)) == (["unknown_option"], [])


def test_G3_a_tap_on_an_option_that_is_not_there_is_told_and_the_question_drawn_again(desk: Desk) -> None:
    before = desk.to_place().block
    desk.tap_option("o9")
    assert (desk.texts("runtime"), desk.last.block) == ([desk.domain.lines.unknown_option], before)


@pytest.mark.parametrize("option", ["o3", "create", "o0", "true"])
def test_G2_a_forged_option_at_the_summary_attempts_nothing(desk: Desk, option: str) -> None:
    desk.to_summary()
    desk.tap_option(option)
    assert desk.events(GateDecided) == []


@pytest.mark.parametrize("later", [-1, 1, 1000])
def test_G3_a_tap_with_a_forged_revision_is_stale(desk: Desk, later: int) -> None:
    desk.to_summary()
    desk.tap_option("o1", later=later)
    assert (refusals(desk), desk.events(GateDecided)) == (["stale"], [])


def test_G3_a_tap_on_another_sessions_summary_is_stale(make_desk: MakeDesk) -> None:
    one, other = make_desk(session="s1"), make_desk(session="s2")
    one.to_summary()
    other.to_summary()
    one.tap("Create", block=other.block)
    assert (refusals(one), one.events(GateDecided)) == (["stale"], [])


@pytest.mark.parametrize("seen", [0, 1, 10_000])
def test_G3_a_create_tap_with_a_forged_seen_is_not_attempted(desk: Desk, seen: int) -> None:
    desk.to_summary()
    desk.tap("Create", seen=seen)
    assert [decision.attempted for decision in desk.events(GateDecided)] == [False]


def test_G3_a_create_tap_on_an_older_summary_is_refused_and_the_new_one_drawn(desk: Desk) -> None:
    desk.to_summary()
    old = desk.block
    desk.hear("Sure.", desk.propose("title", "login fails"))
    desk.hear("Changed.")
    new = desk.say("Yes but change the title to login fails").block
    answer = desk.tap("Create", block=old)
    assert (refusals(desk), answer.block) == (["stale"], new)


def test_G3_a_tap_before_anything_was_drawn_is_stale(desk: Desk) -> None:
    desk.act(Tap(question="s1:title-1", revision=1, option="o1", at=1))
    assert (refusals(desk), desk.last.texts[0].text) == (["stale"], STALE)


# Submits


def test_C2_a_turn_begins_with_the_submit(desk: Desk) -> None:
    desk.to_title()
    desk.submit(title="Lamp broken")
    first = desk.turn()[0]
    assert isinstance(first, FormSubmitted)
    assert first.values == {"title": "Lamp broken"}


def test_S1_a_submitted_text_settles_its_slot(desk: Desk) -> None:
    desk.to_title()
    desk.submit(title="Lamp broken")
    value = desk.state.draft.values["title"]
    assert (value.value, value.provenance, value.span) == ("Lamp broken", "form", None)


def test_G2_a_submit_at_the_summary_attempts_nothing(desk: Desk) -> None:
    desk.to_summary()
    desk.submit(confirmed="true")
    assert (refusals(desk), desk.events(GateDecided)) == (["wrong_kind"], [])


def test_G2_a_submit_at_the_summary_leaves_it_open(desk: Desk) -> None:
    before = desk.to_summary().block
    assert desk.submit(o1="Create").block == before


def test_G3_a_submit_for_an_answered_question_is_stale(desk: Desk) -> None:
    desk.to_title()
    old = desk.block
    desk.submit(title="Lamp broken")
    desk.submit(old, title="Chair broken")
    assert (refusals(desk), desk.values["title"]) == (["stale"], "Lamp broken")


@pytest.mark.parametrize("values", [{}, {"note": "x"}, {"title": "x", "place": "office"}])
def test_G3_a_submit_of_other_fields_settles_nothing(desk: Desk, values: dict[str, str]) -> None:
    desk.to_title()
    desk.submit(None, **values)
    assert (refusals(desk), desk.values) == (["unusable"], {})


def test_S1_a_submit_to_chips_settles_nothing(desk: Desk) -> None:
    desk.to_place()
    desk.submit(place="office")
    assert (refusals(desk), "place" in desk.values) == (["wrong_kind"], False)


# Reloads


def test_C2_a_turn_begins_with_the_reload(desk: Desk) -> None:
    desk.to_place()
    desk.reload()
    assert isinstance(desk.turn()[0], Reloaded)


@pytest.mark.parametrize("reach", ["to_title", "to_place", "to_urgency", "to_note", "to_summary"])
def test_a_reload_draws_the_open_question_again(desk: Desk, reach: str) -> None:
    before = getattr(desk, reach)().block
    assert (desk.reload().block, desk.last.texts) == (before, ())


def test_a_reload_calls_no_model_and_no_tool(desk: Desk) -> None:
    desk.to_urgency()
    called = (len(desk.model.received), len(desk.scripted.calls))
    desk.reload()
    assert (len(desk.model.received), len(desk.scripted.calls)) == called


def test_G2_a_reload_at_the_summary_attempts_nothing(desk: Desk) -> None:
    desk.to_summary()
    desk.reload()
    assert desk.events(GateDecided) == []


def test_G3_a_tap_on_the_reloaded_block_is_taken(desk: Desk) -> None:
    desk.to_place()
    desk.reload()
    desk.tap("Office")
    assert desk.values["place"] == "office"


def test_G3_a_tap_on_the_block_from_before_the_reload_is_taken(desk: Desk) -> None:
    desk.to_place()
    before = desk.block
    desk.reload()
    desk.tap("Office", block=before, seen=None)
    assert desk.values["place"] == "office"


def test_a_reload_before_the_first_word_draws_nothing(desk: Desk) -> None:
    assert (desk.reload().block, desk.last.texts) == (None, ())


def test_a_reload_after_a_declined_summary_draws_it_anew(desk: Desk) -> None:
    old = desk.to_summary().block
    desk.say("no")
    new = desk.reload().block
    assert old is not None
    assert new is not None
    assert (new.kind, new.rows, new.question == old.question) == ("summary", old.rows, False)


# Characters that no ledger can hold


def test_G10_half_a_character_in_a_message_is_replaced(desk: Desk) -> None:
    desk.to_title()
    desk.act(Say(text="Lamp \ud83d broken", at=1, seen=desk.seen))
    assert desk.values["title"] == "Lamp \ufffd broken"


def test_G10_two_halves_of_a_character_become_it(desk: Desk) -> None:
    desk.to_title()
    desk.act(Say(text="Lamp \ud83d\ude00", at=1, seen=desk.seen))
    assert desk.values["title"] == "Lamp 😀"


def test_G10_half_a_character_in_a_tap_or_a_submit_is_replaced(desk: Desk) -> None:
    desk.to_title()
    block = desk.block
    desk.act(Tap(question="\ud800", revision=1, option="\ud800", at=1))
    desk.act(Submit(question=block.question, revision=block.revision, values={"title": "x\udc00"}, at=2))
    assert (desk.events(UserTapped)[-1].option, desk.values["title"]) == ("\ufffd", "x\ufffd")


def test_G1_no_refused_answer_ever_claims_a_write(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    for later in (-1, 1):
        desk.tap_option("o1", later=later)
    desk.submit(confirmed="true")
    desk.reload()
    assert (desk.events(WriteClaimed), desk.writes) == ([], [])


def test_a_question_is_drawn_once_a_turn_at_most(desk: Desk) -> None:
    desk.to_summary()
    desk.reload()
    per_turn = [entry.turn for entry in desk.ledger() if isinstance(entry.event, QuestionDrawn)]
    assert len(per_turn) == len(set(per_turn))
