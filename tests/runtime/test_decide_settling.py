"""A settle writes the draft, queues one fact and owes again what depends on it; a change voids the summary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from marg_runtime.canonical import Json
from marg_runtime.decide.book import Book
from marg_runtime.decide.settling import reopen, settle, skip
from marg_runtime.domain import Domain
from marg_runtime.draft import Value
from marg_runtime.events.step import StepReopened, ValueSettled
from marg_runtime.steps import Option, OptionsContext, chips_step, text_step
from marg_runtime.steps.step import OneSlotStep

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


def value(content: Json) -> Value:
    return Value(value=content, label=str(content), provenance="tap")


def chain() -> tuple[Any, ...]:
    """Three steps, each depends on the one before; the first is optional and open to proposals."""
    return (
        text_step(key="a", label="A", slot="a", lead="A?", required=False, proposable=True),
        text_step(key="b", label="B", slot="b", lead="B?", depends_on=["a"]),
        text_step(key="c", label="C", slot="c", lead="C?", depends_on=["b"]),
        text_step(key="d", label="D", slot="d", lead="D?"),
    )


@pytest.fixture
def book(make_desk: MakeDesk, domain_with: Callable[..., Domain]) -> Book:
    """A book in which all steps of the chain have ended."""
    desk = make_desk(domain=domain_with(steps=chain()))
    book = Book(surroundings=desk.surroundings(), state=desk.state)
    for step in book.domain.steps:
        assert isinstance(step, OneSlotStep)
        settle(book, step, value(1))
    book.events.clear()
    return book


def step_of(book: Book, number: int) -> OneSlotStep:
    step = book.domain.steps[number]
    assert isinstance(step, OneSlotStep)
    return step


def reopened(book: Book) -> list[str]:
    return [event.step for event in book.events if isinstance(event, StepReopened)]


def test_S1_a_settle_writes_the_draft_and_queues_one_fact(book: Book) -> None:
    settle(book, step_of(book, 3), value("x"))
    assert (book.state.draft.arguments()["d"], book.state.facts[-1], len(book.state.facts)) == ("x", "D set to x.", 5)


def test_S1_a_change_owes_again_what_depends_on_it_through_chains(book: Book) -> None:
    settle(book, step_of(book, 0), value(2))
    assert (reopened(book), book.state.draft.arguments()) == (["b", "c"], {"a": 2, "d": 1})


def test_S1_the_same_value_again_owes_nothing(book: Book) -> None:
    settle(book, step_of(book, 0), value(1))
    assert reopened(book) == []


@pytest.mark.parametrize("other", [True, 1.0, "1", None])
def test_S1_a_value_of_another_kind_is_a_change(book: Book, other: Json) -> None:
    settle(book, step_of(book, 0), value(other))
    assert reopened(book) == ["b", "c"]


def test_S1_the_first_value_of_a_skipped_step_is_a_change(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(steps=chain()))
    book = Book(surroundings=desk.surroundings(), state=desk.state)
    skip(book, book.domain.steps[0])
    settle(book, step_of(book, 1), value(1))
    settle(book, step_of(book, 0), value(1))
    assert reopened(book) == ["b"]


def test_S1_the_first_value_of_a_step_owes_nothing_again(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(steps=chain()))
    book = Book(surroundings=desk.surroundings(), state=desk.state)
    settle(book, step_of(book, 0), value(1))
    assert reopened(book) == []


def test_S1_skipping_queues_one_fact_and_writes_nothing(book: Book) -> None:
    reopen(book, book.domain.steps[0], because="model")
    skip(book, book.domain.steps[0])
    assert (book.state.facts[-1], "a" in book.state.draft.arguments()) == ("A left out.", False)


def test_S1_a_reopened_step_is_asked_before_others(book: Book) -> None:
    reopen(book, book.domain.steps[1], because="model")
    assert (book.state.reopened, reopened(book)) == ("b", ["b", "c"])


def test_G5_a_settle_voids_the_summary(desk: Desk) -> None:
    desk.to_summary()
    book = Book(surroundings=desk.surroundings(), state=desk.state)
    settle(book, step_of(book, 3), value("x"))
    assert (book.state.summary, book.state.question) == (None, None)


def test_G5_even_the_same_value_again_voids_the_summary(desk: Desk) -> None:
    desk.to_summary()
    book = Book(surroundings=desk.surroundings(), state=desk.state)
    settle(book, step_of(book, 1), desk.state.draft.values["place"])
    assert (book.state.summary, book.state.question) == (None, None)


def test_G5_a_skip_voids_the_summary(desk: Desk) -> None:
    desk.to_summary()
    book = Book(surroundings=desk.surroundings(), state=desk.state)
    skip(book, book.domain.steps[3])
    assert (book.state.summary, book.state.question) == (None, None)


def test_G5_a_reopen_voids_the_summary(desk: Desk) -> None:
    desk.to_summary()
    book = Book(surroundings=desk.surroundings(), state=desk.state)
    reopen(book, book.domain.steps[3], because="invalid")
    assert (book.state.summary, book.state.question) == (None, None)


def test_S1_an_open_question_of_a_dependant_is_asked_anew_after_a_change(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    async def options(context: OptionsContext) -> Sequence[Option]:
        return [Option(label=f"About {context.draft['title']}", value=context.draft["title"])]

    steps = (
        text_step(key="title", label="Title", slot="title", lead="Title?", proposable=True),
        chips_step(key="topic", label="Topic", slot="topic", lead="Topic?", options=options, depends_on=["title"]),
    )
    desk = make_desk(domain=domain_with(steps=steps))
    desk.to_title()
    old = desk.say("lamp").block
    desk.hear(desk.propose("title", "chair"))
    desk.hear("Fine.")
    desk.say("I mean the chair?")
    assert old is not None
    assert ([option.label for option in desk.block.options], desk.block.question == old.question) == (
        ["About chair"],
        False,
    )


def test_S1_what_depends_on_a_changed_answer_is_asked_again_in_the_same_reply(
    make_desk: MakeDesk, domain_with: Callable[..., Domain]
) -> None:
    desk = make_desk(domain=domain_with(steps=chain()))
    desk.to_title()
    for text in ("first a", "first b", "first c"):
        desk.say(text)
    desk.hear(desk.propose("a", "second a"))
    desk.hear("Fine.")
    desk.say("is it second a?")
    assert (desk.values, desk.block.step) == ({"a": "second a"}, "d")


def test_S1_each_settle_is_told_once(desk: Desk) -> None:
    desk.to_summary()
    settled = [event.step for event in desk.events(ValueSettled)]
    assert settled == ["title", "place", "urgency"]
