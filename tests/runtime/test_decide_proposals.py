"""What becomes of `propose` and `reopen`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from marg_runtime.canonical import Json
from marg_runtime.conversation import ResultMessage
from marg_runtime.domain import Domain
from marg_runtime.draft import Span
from marg_runtime.events.model import AttestationRefused
from marg_runtime.events.step import DraftOpened, StepReopened, ValueRefused, ValueSettled
from marg_runtime.events.write import GateDecided
from marg_runtime.steps import text_step

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


def answered(desk: Desk) -> list[tuple[bool, str]]:
    """Whether each call of the last reply but one was taken, and what the model was told."""
    sent = desk.model.received[-1].messages
    return [(not message.is_error, message.text) for message in sent if isinstance(message, ResultMessage)]


def proposed(desk: Desk, words: str, **arguments: Json) -> tuple[bool, str]:
    """What became of one `propose` in answer to these words."""
    desk.hear(desk.call("propose", **arguments))
    desk.hear("Fine.")
    desk.say(words)
    return answered(desk)[-1]


# Propose


def test_S2_words_that_the_user_said_settle_the_slot(desk: Desk) -> None:
    taken = proposed(desk, "my lamp is broken", slot="title", value="lamp is broken", quote="my lamp is broken")
    assert (taken[0], desk.values) == (True, {"title": "lamp is broken"})


def test_S3_the_value_keeps_the_span_of_the_quote(desk: Desk) -> None:
    proposed(desk, "my lamp is broken", slot="title", value="lamp", quote="lamp is broken")
    value = desk.state.draft.values["title"]
    assert (value.provenance, value.span) == ("model", Span(said=0, start=3, end=17))


def test_S2_a_proposal_calls_for_one_more_model_call_and_then_the_next_step(desk: Desk) -> None:
    proposed(desk, "Lamp broken", slot="title", value="Lamp broken", quote="Lamp broken")
    assert (len(desk.model.received), desk.block.step) == (2, "place")


def test_S3_words_that_the_user_did_not_say_are_refused(desk: Desk) -> None:
    taken = proposed(desk, "hello", slot="title", value="Lamp broken", quote="Lamp broken")
    assert (taken, desk.values) == ((False, "Not taken: the user did not say it."), {})


def test_S3_what_was_not_said_is_recorded(desk: Desk) -> None:
    proposed(desk, "hello", slot="title", value="Lamp", quote="Lamp")
    assert desk.events(AttestationRefused) == [
        AttestationRefused(slot="title", value="Lamp", quote="Lamp", reason="the user did not say it")
    ]


@pytest.mark.parametrize("slot", ["place", "urgency", "note"])
def test_S2_a_slot_that_a_step_owns_is_refused(desk: Desk, slot: str) -> None:
    taken, text = proposed(desk, "office", slot=slot, value="office", quote="office")
    assert (taken, text, desk.values) == (False, "Not taken: the runtime asks for it.", {})


def test_S2_a_settled_slot_that_a_step_owns_is_refused_with_the_way_to_change_it(desk: Desk) -> None:
    desk.to_urgency()
    taken, text = proposed(desk, "it is home, is it?", slot="place", value="home", quote="home")
    assert (taken, text, desk.values["place"]) == (
        False,
        "Not taken: the runtime asks for it. Call reopen with 'place' to have it asked again.",
        "office",
    )


@pytest.mark.parametrize("slot", ["confirmed", "confirm", "Title", "title ", ""])
def test_S2_a_slot_that_is_not_there_is_refused(desk: Desk, slot: str) -> None:
    proposed(desk, "yes", slot=slot, value="yes", quote="yes")
    refused = desk.events(ValueRefused)
    assert ([(event.by, event.reason) for event in refused], desk.values) == (
        [("model", "there is no such slot")],
        {},
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"slot": "title"},
        {"slot": "title", "value": "lamp"},
        {"slot": "title", "value": 5, "quote": "lamp"},
        {"slot": ["title"], "value": "lamp", "quote": "lamp"},
        {"slot": "title", "value": "lamp", "quote": None},
        {"slot": "title", "value": {"v": "lamp"}, "quote": "lamp"},
    ],
)
def test_S2_arguments_that_are_not_text_are_refused(desk: Desk, arguments: dict[str, Json]) -> None:
    taken, text = proposed(desk, "lamp", **arguments)
    assert (taken, text) == (False, "Not taken: slot, value and quote must each be text.")


def test_S2_a_value_that_is_too_long_is_refused(desk: Desk) -> None:
    taken, text = proposed(desk, "x" * 81, slot="title", value="x" * 81, quote="x" * 81)
    assert (taken, text, desk.values) == (False, "Not taken: it has 81 characters of at most 80.", {})


def test_S2_a_newer_word_changes_a_settled_value(desk: Desk) -> None:
    desk.to_place()
    proposed(desk, "Yes but change the title to login fails", slot="title", value="login fails", quote="login fails")
    assert desk.values == {"title": "login fails"}


def test_S2_an_older_word_does_not_change_a_settled_value(desk: Desk) -> None:
    desk.hear("Hello.")
    desk.say("chair broken")
    desk.say("Lamp broken")
    taken, text = proposed(desk, "what is this?", slot="title", value="chair broken", quote="chair broken")
    assert (taken, desk.values) == (False, {"title": "Lamp broken"})
    assert text == "Not taken: the user has not said it since the value was settled."


def test_S2_reopening_does_not_make_older_words_count_again(desk: Desk) -> None:
    desk.to_place()
    proposed(desk, "make it Chair broken", slot="title", value="Chair broken", quote="Chair broken")
    desk.hear(desk.call("reopen", step="title"), desk.propose("title", "Lamp broken"))
    desk.hear("Hm.")
    desk.say("what is a lamp?")
    assert (desk.values, desk.block.step) == ({}, "title")


def test_S2_after_reopening_a_newer_word_settles(desk: Desk) -> None:
    desk.to_place()
    desk.hear(desk.call("reopen", step="title"), desk.propose("title", "Chair broken"))
    desk.hear("Fine.")
    desk.say("make it Chair broken")
    assert (desk.values, desk.block.step) == ({"title": "Chair broken"}, "place")


def test_S2_proposing_what_stands_changes_nothing(desk: Desk) -> None:
    desk.to_place()
    taken, text = proposed(desk, "Lamp broken?", slot="title", value="Lamp broken", quote="Lamp broken")
    assert (taken, text, len(desk.events(ValueSettled))) == (True, "Title is already that.", 1)


def test_S2_a_change_at_the_summary_draws_a_new_one_in_the_same_reply(desk: Desk) -> None:
    old = desk.to_summary().block
    proposed(desk, "Yes but change the title to login fails", slot="title", value="login fails", quote="login fails")
    assert old is not None
    assert (desk.block.kind, desk.block.question == old.question) == ("summary", False)


def test_S2_the_new_summary_shows_the_new_value(desk: Desk) -> None:
    desk.to_summary()
    proposed(desk, "Yes but change the title to login fails", slot="title", value="login fails", quote="login fails")
    assert desk.block.rows[0].value == "login fails"


def test_G1_the_next_yes_writes_the_new_value(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    proposed(desk, "Yes but change the title to login fails", slot="title", value="login fails", quote="login fails")
    desk.say("yes")
    assert [call.arguments["title"] for call in desk.writes] == ["login fails"]


def test_S2_a_proposal_attempts_no_write(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    proposed(desk, "yes, and call it login fails", slot="title", value="login fails", quote="login fails")
    assert (desk.events(GateDecided), desk.writes) == ([], [])


def test_S2_two_proposals_of_one_reply_settle_in_order(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    steps = (
        text_step(key="title", label="Title", slot="title", lead="Title?", proposable=True),
        text_step(key="details", label="Details", slot="details", lead="Details?", proposable=True),
    )
    desk = make_desk(domain=domain_with(steps=steps))
    desk.hear(desk.propose("details", "it flickers"), desk.propose("title", "Lamp broken"))
    desk.hear("Fine.")
    desk.say("Lamp broken: it flickers")
    assert ([event.slot for event in desk.events(ValueSettled)], desk.block.kind) == (["details", "title"], "summary")


# Reopen


def test_S2_a_reopened_step_is_asked_again_below_the_models_words(desk: Desk) -> None:
    desk.to_note()
    desk.hear(desk.call("reopen", step="place"))
    desk.hear("Of course.")
    answer = desk.say("it is not in the office, is it?")
    assert ([said.text for said in answer.texts], desk.block.step) == (["Of course."], "place")


def test_S2_a_reopened_value_has_left_the_draft(desk: Desk) -> None:
    desk.to_note()
    desk.hear(desk.call("reopen", step="place"))
    desk.hear("Of course.")
    desk.say("is it the office?")
    assert "place" not in desk.values


def test_S1_reopening_reopens_what_depends_on_it(desk: Desk) -> None:
    desk.to_note()
    desk.hear(desk.call("reopen", step="place"))
    desk.hear("Of course.")
    desk.say("why the office?")
    assert [(e.step, e.because) for e in desk.events(StepReopened)] == [("place", "model"), ("urgency", "dependency")]


def test_S2_a_reopen_at_the_summary_voids_it(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    old = desk.block
    desk.hear(desk.call("reopen", step="note"))
    desk.hear("Of course.")
    desk.say("add a note, will you?")
    desk.tap("Create", block=old)
    assert (desk.block.step, desk.state.summary, desk.writes) == ("note", None, [])


def test_S2_a_step_still_to_be_asked_is_not_reopened(desk: Desk) -> None:
    desk.to_place()
    desk.hear(desk.call("reopen", step="note"))
    desk.hear("Fine.")
    desk.say("what about the note?")
    assert (answered(desk), desk.events(StepReopened), desk.block.step) == (
        [(True, "Note is still to be asked; the runtime asks it.")],
        [],
        "place",
    )


@pytest.mark.parametrize("step", ["confirm", "Place", "", None, 5, ["place"]])
def test_S2_a_step_that_is_not_there_is_told_with_those_that_are(desk: Desk, step: Json) -> None:
    desk.to_place()
    desk.hear(desk.call("reopen", step=step))
    desk.hear("Fine.")
    desk.say("what now?")
    assert answered(desk) == [(False, f"Not done: there is no step {step!r}; there are title, place, urgency, note.")]


# After the write


def test_G9_what_was_written_is_not_reopened(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    desk.hear(desk.call("reopen", step="title"))
    desk.hear("Sorry.")
    desk.say("change the title?")
    assert answered(desk)[-1] == (False, "Not done: this draft has been sent.")


def test_G9_new_words_after_a_write_begin_a_new_draft(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    proposed(desk, "and the Chair broken", slot="title", value="Chair broken", quote="Chair broken")
    opened = desk.events(DraftOpened)
    assert ([event.draft for event in opened], desk.values, desk.block.step) == (
        ["draft-2"],
        {"title": "Chair broken"},
        "place",
    )


def test_G9_a_new_draft_is_written_after_its_own_go_ahead(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    proposed(desk, "and the Chair broken", slot="title", value="Chair broken", quote="Chair broken")
    for label in ("Home", "Low", "Skip"):
        desk.tap(label)
    assert len(desk.writes) == 1
    desk.tap("Create")
    assert [call.arguments["title"] for call in desk.writes] == ["Lamp broken", "Chair broken"]


def test_G9_the_create_tap_of_the_draft_before_does_not_write_the_new_one(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    old = desk.block
    desk.say("yes")
    proposed(desk, "and the Chair broken", slot="title", value="Chair broken", quote="Chair broken")
    for label in ("Home", "Low", "Skip"):
        desk.tap(label)
    desk.tap("Create", block=old)
    assert len(desk.writes) == 1
