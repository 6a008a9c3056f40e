"""Attestation: the user's own words, whole words, newest first, and none older than what was settled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime.decide.quotes import Attested, attest
from marg_runtime.draft import Span

SAID = ("my lamp is broken", "yes", "change the title to Login fails, please")


def of(quote: str, *, value: str | None = None, said: tuple[str, ...] = SAID, since: int = 0) -> Attested:
    return attest(value=quote if value is None else value, quote=quote, said=said, since=since)


def test_S3_a_quote_has_the_span_where_it_was_said() -> None:
    span = of("Login fails").span
    assert span == Span(said=2, start=20, end=31)


def test_S3_the_value_may_be_a_part_of_the_quote() -> None:
    assert of("change the title to Login fails", value="Login fails").span is not None


def test_S3_the_span_is_that_of_the_quote() -> None:
    span = of("title to Login fails", value="Login").span
    assert span is not None
    assert SAID[2][span.start : span.end] == "title to Login fails"


@pytest.mark.parametrize("quote", ["login fails", "LOGIN FAILS", "Login  fails", "Login\nfails", " Login fails "])
def test_S3_letter_case_and_white_space_may_differ(quote: str) -> None:
    assert of(quote).span is not None


@pytest.mark.parametrize(
    "quote",
    ["log in fails", "Login fail", "ogin fails", "Login, fails", "Login fails now", "lamp Login", "Lögin fails"],
)
def test_S3_nothing_else_may_differ(quote: str) -> None:
    assert of(quote) == Attested(span=None, reason="the user did not say it")


@pytest.mark.parametrize(
    ("word", "within"), [("cat", "category"), ("cat", "tomcat"), ("5", "15"), ("हि", "हिंदी"), ("1", "1a")]
)
def test_S3_a_part_of_a_word_was_not_said(word: str, within: str) -> None:
    assert of(word, said=(within,)).span is None


@pytest.mark.parametrize("said", ["a cat.", "(cat)", "cat", "the cat-flap", "tomcat cat"])
def test_S3_a_whole_word_was_said(said: str) -> None:
    assert of("cat", said=(said,)).span is not None


def test_S3_a_quote_of_marks_alone_is_found_as_it_stands() -> None:
    assert of("$$", said=("worth $$ a day",)).span == Span(said=0, start=6, end=8)


def test_S3_characters_that_patterns_use_are_taken_as_they_are() -> None:
    assert of("a.c", said=("abc",)).span is None


def test_S3_a_value_outside_the_quote_is_refused() -> None:
    assert of("my lamp", value="my chair").reason == "the value does not stand in the quote"


@pytest.mark.parametrize(("value", "quote"), [("", "lamp"), ("lamp", ""), ("  ", "lamp"), ("lamp", "\n")])
def test_S3_an_empty_value_or_quote_is_refused(value: str, quote: str) -> None:
    assert of(quote, value=value).reason == "the value or the quote is empty"


def test_S3_a_quote_over_two_messages_was_not_said() -> None:
    assert of("broken yes").span is None


def test_S3_the_newest_message_that_holds_the_quote_counts() -> None:
    assert of("lamp", said=("lamp", "a lamp", "no")).span == Span(said=1, start=2, end=6)


def test_S2_words_from_before_the_value_was_settled_are_refused() -> None:
    assert of("lamp", since=1).reason == "the user has not said it since the value was settled"


def test_S2_words_said_again_since_count() -> None:
    assert of("lamp", said=("lamp", "lamp"), since=1).span == Span(said=1, start=0, end=4)


def test_S2_the_message_that_the_value_was_settled_before_counts() -> None:
    assert of("Login fails", since=2).span is not None


def test_S3_nobody_who_said_nothing_is_quoted() -> None:
    assert of("lamp", said=()).reason == "the user did not say it"


@given(st.text(max_size=30), st.text(max_size=8), st.text(max_size=8))
def test_S3_a_span_always_holds_the_words_of_the_quote(middle: str, before: str, after: str) -> None:
    said = before + middle + after
    span = of(middle, said=(said,)).span
    if span is not None:
        assert said[span.start : span.end].split() == middle.split() or (
            said[span.start : span.end].lower().split() == middle.lower().split()
        )
