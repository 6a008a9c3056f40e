"""A typed message is read once, as an answer to the question that was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from marg_runtime.decide.book import Book
from marg_runtime.decide.replies import Meaning, read_reply
from marg_runtime.domain import Domain
from marg_runtime.events.turn import ReplyRead

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


def meaning(desk: Desk, text: str, *, unbound: str | None = None) -> Meaning:
    return read_reply(Book(surroundings=desk.surroundings(), state=desk.state), text, unbound=unbound).meaning


@pytest.mark.parametrize(
    ("reach", "text", "expected"),
    [
        ("to_title", "Lamp broken", "value"),
        ("to_title", "yes", "content"),
        ("to_title", "no", "content"),
        ("to_title", "what is this?", "content"),
        ("to_title", "never mind", "cancel"),
        ("to_title", "skip", "content"),
        ("to_title", "", "content"),
        ("to_place", "Office", "choice"),
        ("to_place", "the first one", "choice"),
        ("to_place", "in the office, I think", "content"),
        ("to_place", "yes", "content"),
        ("to_note", "it flickers", "value"),
        ("to_note", "no", "skip"),
        ("to_note", "nothing", "skip"),
        ("to_note", "cancel", "cancel"),
        ("to_note", "yes", "content"),
        ("to_summary", "yes", "go_ahead"),
        ("to_summary", "yes, create this ticket", "go_ahead"),
        ("to_summary", "no", "decline"),
        ("to_summary", "Yes but change the title to login fails", "content"),
    ],
)
def test_S5_a_reply_means_what_the_open_question_makes_of_it(
    desk: Desk, reach: str, text: str, expected: Meaning
) -> None:
    getattr(desk, reach)()
    assert meaning(desk, text) == expected


@pytest.mark.parametrize("text", ["yes", "no", "Create", "Office", "skip"])
def test_G3_what_is_unbound_is_content_whatever_it_says(desk: Desk, text: str) -> None:
    desk.to_summary()
    assert meaning(desk, text, unbound="too early") == "content"


@pytest.mark.parametrize("text", ["yes", "no", "Lamp broken"])
def test_R6_with_no_open_question_all_is_content(desk: Desk, text: str) -> None:
    assert meaning(desk, text) == "content"


def test_R3_a_yes_that_restates_a_shown_value_is_a_go_ahead(desk: Desk) -> None:
    desk.to_summary()
    assert meaning(desk, "yes, Lamp broken") == "go_ahead"


def test_R3_a_yes_with_another_value_is_content(desk: Desk) -> None:
    desk.to_summary()
    assert meaning(desk, "yes, Chair broken") == "content"


@pytest.mark.parametrize("title", ["yes", "Yes, create it", "ok", "no"])
@pytest.mark.parametrize("text", ["Keep this private please", "create it later", "not yet"])
def test_G10_no_drafted_value_makes_a_yes_of_content(desk: Desk, title: str, text: str) -> None:
    desk.to_title()
    desk.submit(title=title)
    for label in ("Office", "High", "Skip"):
        desk.tap(label)
    assert meaning(desk, text) != "go_ahead"


def test_the_reader_of_the_session_reads(make_desk: MakeDesk) -> None:
    """The baseline of the launch post takes this for a yes; the default reader does not."""
    readings = []
    for reader in ("leading_word", "whole_message"):
        desk = make_desk(reader=reader)
        desk.to_summary()
        readings.append(meaning(desk, "Yes but change the title to login fails"))
    assert readings == ["go_ahead", "content"]


def test_G2_click_only_reads_no_message_as_an_answer(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> None:
    desk = make_desk(domain=domain_with(policy="click_only"))
    desk.to_summary()
    assert [meaning(desk, text) for text in ("yes", "no", "Create")] == ["content"] * 3


def test_S5_a_language_without_a_vocabulary_takes_a_text_as_the_value(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(language="xx"))
    desk.to_title()
    assert meaning(desk, "lampu rusak") == "value"


@pytest.mark.parametrize("text", ["yes", "no", "ok", "go ahead"])
def test_G2_a_language_without_a_vocabulary_has_no_typed_go_ahead(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None, text: str
) -> None:
    desk = make_desk(domain=domain_with(language="xx"))
    desk.to_summary()
    desk.hear("?")
    desk.say(text)
    assert (desk.events(ReplyRead)[-1].kind, desk.writes) == ("content", [])


def test_G2_a_language_without_a_vocabulary_is_confirmed_by_a_tap(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None
) -> None:
    desk = make_desk(domain=domain_with(language="xx"))
    desk.to_summary()
    desk.tap("Create")
    assert len(desk.writes) == 1


def test_C6_a_message_is_read_once(desk: Desk) -> None:
    desk.to_summary()
    desk.say("yes")
    messages = [event for event in desk.turn() if isinstance(event, ReplyRead)]
    assert len(messages) == 1


def test_C6_the_reading_names_reader_language_and_question(desk: Desk) -> None:
    desk.to_summary()
    question = desk.block.question
    desk.say("yes")
    read = desk.events(ReplyRead)[-1]
    assert (read.reader, read.language, read.question) == ("whole_message", "en", question)
