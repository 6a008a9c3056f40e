"""A book: events as they are decided, the state as they make it, effects in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marg_runtime.decide.book import Book, place
from marg_runtime.effects import LoadOptions
from marg_runtime.events import Event
from marg_runtime.events.step import DraftInvalid
from marg_runtime.events.turn import FormSubmitted, LineSaid, Reloaded, UserSaid, UserTapped
from marg_runtime.fold import fold
from marg_runtime.state import State

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


@pytest.fixture
def book(desk: Desk) -> Book:
    desk.to_place()
    return Book(surroundings=desk.surroundings(), state=desk.state)


@pytest.mark.parametrize(
    "event",
    [
        UserSaid(act=1, text="x", seen=None),
        UserTapped(act=1, question="q", question_revision=1, option="o1", seen=None),
        FormSubmitted(act=1, question="q", question_revision=1, values={}, seen=None),
        Reloaded(act=1, seen=None),
    ],
)
def test_C2_what_a_person_did_begins_a_turn(event: Event) -> None:
    assert place(State(turn=3, revision=9), event, at=5).turn == 4


def test_C2_anything_else_stands_in_the_turn_that_is_running() -> None:
    entry = place(State(turn=3, revision=9), LineSaid(text="x"), at=5)
    assert (entry.revision, entry.turn, entry.at) == (10, 3, 5)


def test_C1_the_state_follows_each_event(book: Book) -> None:
    before = book.state
    book.emit(Reloaded(act=1, seen=None))
    book.say("Hello.")
    entries = [place(before, book.events[0], at=before.at)]
    middle = fold(entries, state=before)
    assert book.state == fold([place(middle, book.events[1], at=middle.at)], state=middle)


def test_a_line_is_filled_in_with_its_values(book: Book) -> None:
    book.say("{label} has {limit}.", label="Title", limit="80")
    assert book.events == [LineSaid(text="Title has 80.")]


def test_G10_what_looks_like_a_place_holder_of_no_value_stays(book: Book) -> None:
    book.say("{problem}", problem="use {braces}")
    assert book.events == [LineSaid(text="use {braces}")]


def test_a_decision_is_what_was_written_in_order(book: Book) -> None:
    effects = [LoadOptions(step=step, draft={}, pinned=()) for step in ("b", "a")]
    for effect in effects:
        book.run(effect)
    book.emit(DraftInvalid(slot="a", problem="x"))
    decision = book.decision()
    assert (decision.effects, decision.events) == (tuple(effects), (DraftInvalid(slot="a", problem="x"),))


def test_C1_a_book_leaves_the_state_it_began_with_as_it_was(desk: Desk, book: Book) -> None:
    before = desk.state
    book.say("Hello.")
    assert desk.state is before
    assert before != book.state
