"""What an answer to the open question does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.domain import Domain
from marg_runtime.draft import Span
from marg_runtime.events.model import ModelCalled
from marg_runtime.events.step import StepSkipped, SummaryDeclined, ValueRefused, ValueSettled
from marg_runtime.events.write import GateDecided
from marg_runtime.steps import Option, chips_step, text_step

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


def asked_model(desk: Desk) -> bool:
    return any(isinstance(event, ModelCalled) for event in desk.turn())


def test_S1_a_typed_text_is_the_value_with_the_span_where_it_was_said(desk: Desk) -> None:
    desk.to_title()
    desk.say("  Lamp broken ")
    value = desk.state.draft.values["title"]
    assert (value.value, value.provenance, value.span) == ("Lamp broken", "typed", Span(said=1, start=0, end=14))


def test_S1_a_typed_choice_settles_the_options_value(desk: Desk) -> None:
    desk.to_place()
    desk.say("home")
    value = desk.state.draft.values["place"]
    assert (value.value, value.label, value.provenance) == ("home", "Home", "typed")


def test_S1_a_tapped_option_settles_its_value(desk: Desk) -> None:
    desk.to_place()
    desk.tap("Home")
    value = desk.state.draft.values["place"]
    assert (value.value, value.label, value.provenance, value.span) == ("home", "Home", "tap", None)


def test_S1_an_answer_flows_into_the_next_step_in_the_same_reply(desk: Desk) -> None:
    desk.to_title()
    assert (desk.say("Lamp broken").block or desk.block).step == "place"


def test_S1_an_answer_calls_no_model(desk: Desk) -> None:
    desk.to_title()
    desk.say("Lamp broken")
    assert not asked_model(desk)


def test_S1_the_last_answer_flows_into_the_summary(desk: Desk) -> None:
    desk.to_note()
    desk.say("it flickers")
    assert (desk.block.kind, [row.value for row in desk.block.rows]) == (
        "summary",
        ["Lamp broken", "Office", "High", "it flickers"],
    )


def test_S5_no_at_an_optional_step_skips_it(desk: Desk) -> None:
    desk.to_note()
    desk.say("no thanks")
    assert (desk.block.kind, "note" in desk.values) == ("summary", False)


def test_S5_the_skip_option_skips(desk: Desk) -> None:
    desk.to_note()
    desk.tap("Skip")
    assert desk.events(StepSkipped) == [StepSkipped(step="note", fact="Note left out.")]


def test_S5_no_at_a_required_text_is_content(desk: Desk) -> None:
    desk.to_title()
    desk.hear("I need one.")
    desk.say("no")
    assert (desk.block.step, desk.values) == ("title", {})


@pytest.mark.parametrize("text", ["yes", "what is that?", "never mind", "why do you ask", "sure"])
def test_S5_a_question_a_cancel_or_a_bare_yes_is_no_value(desk: Desk, text: str) -> None:
    desk.to_title()
    desk.hear("Hm.")
    desk.say(text)
    assert (desk.block.step, desk.values) == ("title", {})


ASIDES = [
    "never mind, sorry",
    "sorry, never mind",
    "Never mind. I will come back to it",
    "forget it - I found it",
    "no wait, never mind",
    "skip, sorry",
    "stop, that is wrong",
]


@pytest.mark.parametrize("text", ASIDES)
def test_S5_a_cancel_or_skip_phrase_with_words_beside_it_is_no_value(desk: Desk, text: str) -> None:
    desk.to_title()
    desk.hear("I see.")
    desk.say(text)
    assert (desk.values, desk.block.step) == ({}, "title")


@pytest.mark.parametrize("text", ASIDES)
def test_S5_nor_is_it_an_item_of_a_list(make_desk: MakeDesk, domain_with: Callable[..., Domain], text: str) -> None:
    step = text_step(key="guests", label="Guests", slot="guests", lead="Who comes?", many=True)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    desk.hear("I see.")
    desk.say(text)
    assert (desk.values, desk.block.step) == ({}, "guests")


@pytest.mark.parametrize(
    "text", ["Buttons: save, cancel", "The cancel button, it never minds", "Lamp broken, no light"]
)
def test_S5_a_text_that_has_such_a_word_among_others_is_a_value(desk: Desk, text: str) -> None:
    desk.to_title()
    desk.say(text)
    assert desk.values == {"title": text}


def test_S5_a_text_that_only_begins_with_yes_is_a_value(desk: Desk) -> None:
    desk.to_title()
    desk.say("Yes button does not work")
    assert desk.values["title"] == "Yes button does not work"


def test_S5_an_empty_submit_is_told_and_settles_nothing(desk: Desk) -> None:
    desk.to_title()
    desk.submit(title=" \n")
    assert (desk.texts("runtime"), desk.values) == (["Please fill in Title."], {})


def test_S5_a_text_that_is_too_long_is_told_and_settles_nothing(desk: Desk) -> None:
    desk.to_title()
    desk.say("x" * 81)
    assert (desk.texts("runtime"), desk.values) == (["Title can have at most 80 characters; that had 81."], {})


def test_S5_a_text_that_just_fits_settles(desk: Desk) -> None:
    desk.to_title()
    desk.say("x" * 80)
    assert desk.values == {"title": "x" * 80}


def test_S5_a_refused_text_stands_in_the_ledger(desk: Desk) -> None:
    desk.to_title()
    desk.submit(title="")
    assert desk.events(ValueRefused) == [ValueRefused(slot="title", value="", by="user", reason="it is empty")]


def test_S5_a_refused_text_draws_the_question_again(desk: Desk) -> None:
    before = desk.to_title().block
    assert desk.submit(title="").block == before


def test_S5_an_empty_message_at_a_text_is_content(desk: Desk) -> None:
    desk.to_title()
    desk.hear("Yes?")
    desk.say("   ")
    assert (asked_model(desk), desk.values) == (True, {})


def test_G2_a_plain_yes_at_the_summary_is_a_go_ahead(desk: Desk) -> None:
    desk.to_summary()
    desk.say("yes please")
    assert [(decision.trigger, decision.attempted) for decision in desk.events(GateDecided)] == [("go_ahead", True)]


def test_G1_a_go_ahead_calls_no_model(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    assert not asked_model(desk)


@pytest.mark.parametrize(
    "text",
    [
        "Yes but change the title to login fails",
        "Keep this private please",
        "No, create it later",
        "yes?",
        "yes, later",
        "not yet, I think",
        "yesterday",
        "Create a new one instead",
        "ok wait",
        "yes and no",
        "yes 5",
    ],
)
def test_G2_anything_else_at_the_summary_is_content(desk: Desk, text: str) -> None:
    desk.to_summary()
    desk.hear("I see.")
    desk.say(text)
    assert ([d.attempted for d in desk.events(GateDecided)], desk.block.kind) == ([], "summary")


@pytest.mark.parametrize("text", ["Not yet", "not yet", "not yet, please", "Not yet."])
def test_G2_the_words_of_the_option_that_declines_decline(desk: Desk, writes_on: None, text: str) -> None:
    desk.to_summary()
    desk.say(text)
    assert (len(desk.events(SummaryDeclined)), desk.writes, desk.texts("runtime")) == (
        1,
        [],
        [desk.domain.lines.declined],
    )


def test_G2_words_that_read_as_a_yes_decline_where_the_option_that_declines_is_called_so(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None
) -> None:
    confirm = replace(domain_with().confirm, decline_label="OK, go back")
    desk = make_desk(domain=domain_with(confirm=confirm))
    desk.to_summary()
    desk.say("ok, go back")
    assert (len(desk.events(SummaryDeclined)), desk.writes) == (1, [])


def test_G2_the_words_of_the_option_that_creates_are_no_go_ahead_by_themselves(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.hear("Please tap it.")
    desk.say("Create")
    assert desk.events(GateDecided) == []


def test_G2_a_plain_no_declines(desk: Desk) -> None:
    desk.to_summary()
    question = desk.block.question
    desk.say("no")
    assert [event.question for event in desk.events(SummaryDeclined)] == [question]


def test_G2_a_decline_keeps_the_draft(desk: Desk) -> None:
    desk.to_summary()
    before = desk.values
    desk.tap("Not yet")
    assert (desk.values, desk.texts("runtime")) == (before, [desk.domain.lines.declined])


def test_G2_a_decline_attempts_nothing(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.tap("Not yet")
    assert (desk.events(GateDecided), desk.writes) == ([], [])


def test_G3_a_yes_after_a_decline_is_content(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("no")
    desk.hear("What shall I do?")
    desk.say("yes")
    assert (desk.events(GateDecided), desk.writes) == ([], [])


def test_G3_the_create_tap_of_a_declined_summary_is_stale(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    block = desk.block
    desk.say("no")
    desk.tap("Create", block=block)
    assert (desk.events(GateDecided), desk.writes) == ([], [])


def test_G2_an_option_labelled_yes_of_another_step_is_no_go_ahead(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None
) -> None:
    options = [Option(label="Yes, create", value="create"), Option(label="Create", value="confirm")]
    step = chips_step(key="sure", label="Sure", slot="sure", lead="Shall I create this ticket?", options=options)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    desk.tap("Yes, create")
    assert (desk.values, desk.events(GateDecided), desk.block.kind) == ({"sure": "create"}, [], "summary")


def test_G2_a_yes_typed_at_another_step_is_no_go_ahead(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None
) -> None:
    options = [Option(label="Yes", value=True), Option(label="No", value=False)]
    step = chips_step(key="sure", label="Sure", slot="sure", lead="Is it sure?", options=options)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    desk.say("yes")
    assert (desk.values, desk.events(GateDecided)) == ({"sure": True}, [])


def test_G2_where_only_a_tap_confirms_a_typed_yes_is_content(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None
) -> None:
    desk = make_desk(domain=domain_with(policy="click_only"))
    desk.to_summary()
    desk.hear("Tap Create, please.")
    desk.say("yes")
    assert (desk.events(GateDecided), desk.writes) == ([], [])


def test_G2_where_only_a_tap_confirms_a_tap_does(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None
) -> None:
    desk = make_desk(domain=domain_with(policy="click_only"))
    desk.to_summary()
    desk.tap("Create")
    assert len(desk.writes) == 1


def test_S5_where_only_a_tap_answers_a_typed_option_is_content(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    step = chips_step(
        key="place",
        label="Place",
        slot="place",
        lead="Where?",
        options=[Option(label="Home", value="home")],
        policy="click_only",
    )
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    desk.hear("Tap it.")
    desk.say("Home")
    assert desk.values == {}


def test_S5_where_only_a_submit_answers_a_typed_text_is_content(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    step = text_step(key="code", label="Code", slot="code", lead="Code?", policy="click_only")
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    desk.hear("Use the field.")
    desk.say("1234")
    desk.submit(code="1234")
    assert [event.value.provenance for event in desk.events(ValueSettled)] == ["form"]


@pytest.mark.parametrize("text", ["no", "no thanks", "skip"])
def test_S5_no_at_an_optional_chips_step_skips_it(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], text: str
) -> None:
    red = [Option(label="Red", value="red")]
    step = chips_step(key="colour", label="Colour", slot="colour", lead="Which?", options=red, required=False)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    desk.say(text)
    assert (desk.block.kind, desk.values) == ("summary", {})


def test_S5_an_option_labelled_no_comes_before_the_skip(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    options = [Option(label="Yes", value=True), Option(label="No", value=False)]
    step = chips_step(key="loud", label="Loud", slot="loud", lead="Is it loud?", options=options, required=False)
    desk = make_desk(domain=domain_with(steps=(step,)))
    desk.to_title()
    desk.say("no")
    assert desk.values == {"loud": False}
