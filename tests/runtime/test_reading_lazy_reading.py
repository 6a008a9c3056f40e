"""A reading whose explanation is worked out late is the same reading."""

from __future__ import annotations

import pickle
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from marg_runtime import Question, Reading, read
from marg_runtime.reading.lazy_reading import Explanation, LazyReading

QUESTION = Question(text="Shall I create this ticket?")


def lazy(explain: Callable[[], Explanation]) -> LazyReading:
    return LazyReading(kind="content", reader="x", language="en", explain=explain)


def test_the_explanation_is_worked_out_once() -> None:
    calls: list[int] = []

    def explain() -> Explanation:
        calls.append(1)
        return Explanation(tokens=(), why=("because",), asks=True)

    reading = lazy(explain)
    assert (reading.why, reading.asks, reading.tokens, len(calls)) == (("because",), True, (), 1)


def test_it_equals_the_same_reading_worked_out() -> None:
    reading = read("yes, that is right", QUESTION)
    assert isinstance(reading, LazyReading)
    assert (reading == reading.settled(), hash(reading) == hash(reading.settled())) == (True, True)


def test_it_differs_from_another_reading() -> None:
    assert read("yes", QUESTION) != read("no", QUESTION)


def test_it_survives_pickling_as_a_plain_reading() -> None:
    reading = read("yes but", QUESTION)
    again = pickle.loads(pickle.dumps(reading))
    assert (type(again), again == reading) == (Reading, True)


SAID = "yes no ticket tickets create zebra not please the it that is right ok book 7 é ? , ."
words = st.sampled_from(sorted(set(SAID.split(" "))))


@settings(max_examples=200, deadline=None)
@given(st.lists(words, max_size=6))
def test_the_short_way_to_content_agrees_with_the_long_one(said: list[str]) -> None:
    reading = read(" ".join(said), QUESTION)
    strange = {token.token_class for token in reading.tokens} & {"unknown", "digit", "question", "hedge", "change"}
    assert reading.kind == "content" or not strange
