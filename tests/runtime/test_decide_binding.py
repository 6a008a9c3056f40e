"""What an act answers: the open question, delivered before the act came, as the client displayed it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from marg_runtime.decide.binding import displayed, tap_refusal, typed_unbound
from marg_runtime.events.step import QuestionDrawn
from marg_runtime.state import OpenQuestion, State

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk

DRAWN = QuestionDrawn(question="s1:place-2", step="place", kind="chips", label="Place", lead="Where?", options=())
# Drawn at 10 in turn 2, delivered at 12; it is now turn 3, at revision 14, with an act that was queued at 13.
QUESTION = OpenQuestion(drawn=DRAWN, revision=10, opened_in=2, delivered_in=2, delivered_at=12)
STATE = State(question=QUESTION, turn=3, revision=14)


def typed(state: State = STATE, *, seen: int | None = 12, queued: int = 13) -> str | None:
    return typed_unbound(state, seen=seen, queued=queued)


def tapped(state: State = STATE, *, question: str = "s1:place-2", revision: int = 10, queued: int = 13) -> str | None:
    return tap_refusal(state, question=question, revision=revision, queued=queued)


def with_question(question: OpenQuestion | None) -> State:
    return replace(STATE, question=question)


@pytest.mark.parametrize("seen", [10, 11, 12, 13])
def test_G3_a_message_whose_client_displayed_the_question_answers_it(seen: int) -> None:
    assert typed(seen=seen) is None


@pytest.mark.parametrize("seen", [9, 1, 0, -1])
def test_G3_a_message_whose_client_displayed_an_older_answer_answers_nothing(seen: int) -> None:
    assert typed(seen=seen) == "the client had displayed an older answer than the open question"


@pytest.mark.parametrize("seen", [14, 99])
def test_G3_a_message_that_names_a_revision_of_the_future_answers_nothing(seen: int) -> None:
    assert typed(seen=seen) == "the client names a revision that did not exist"


def test_G3_a_message_without_seen_answers_nothing() -> None:
    assert typed(seen=None) == "the client does not say what it had displayed"


def test_G3_a_message_answers_nothing_where_nothing_is_open() -> None:
    assert typed(with_question(None)) == "no question is open"


@pytest.mark.parametrize("queued", [12, 11, 3])
def test_G3_a_message_that_came_before_the_delivery_answers_nothing(queued: int) -> None:
    assert typed(queued=queued, seen=10) == "the open question had not been delivered"


@pytest.mark.parametrize(
    "change", [{"delivered_in": None, "delivered_at": None}, {"delivered_in": 3}, {"delivered_in": 4}]
)
def test_G4_neither_message_nor_tap_answers_a_question_not_delivered_in_an_earlier_turn(
    change: dict[str, int | None],
) -> None:
    state = with_question(replace(QUESTION, **change))  # type: ignore[arg-type]
    assert (typed(state), tapped(state)) == ("the open question had not been delivered", "undelivered")


def test_G3_a_tap_that_names_question_and_revision_is_taken() -> None:
    assert tapped() is None


@pytest.mark.parametrize("question", ["s2:place-2", "place-2", "s1:place-1", "s1:place-3", "s1:confirm-2", ""])
def test_G3_a_tap_on_another_question_is_stale(question: str) -> None:
    assert tapped(question=question) == "stale"


@pytest.mark.parametrize("revision", [9, 11, 13, 14, 0, -1])
def test_G3_a_tap_on_another_revision_is_stale(revision: int) -> None:
    assert tapped(revision=revision) == "stale"


def test_G3_a_tap_where_nothing_is_open_is_stale() -> None:
    assert tapped(with_question(None)) == "stale"


@pytest.mark.parametrize("queued", [12, 9])
def test_G3_a_tap_that_came_before_the_delivery_is_refused(queued: int) -> None:
    assert tapped(queued=queued) == "undelivered"


def test_G3_what_the_client_says_it_displayed_stands_on_any_channel(desk: Desk) -> None:
    around = desk.surroundings(in_order=True)
    assert displayed(7, queued=13, surroundings=around) == 7


def test_G3_without_a_word_from_the_client_nothing_was_displayed(desk: Desk) -> None:
    assert displayed(None, queued=13, surroundings=desk.surroundings()) is None


def test_G3_on_a_channel_in_order_all_was_displayed_that_was_there_when_the_act_came(desk: Desk) -> None:
    assert displayed(None, queued=13, surroundings=desk.surroundings(in_order=True)) == 13
