"""Facts travel as a text that reads back as the same facts, and that no user's words can be taken for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_runtime.model_facts import FACTS_HEAD, facts_of, facts_text, words_text
from marg_runtime.model_results import ERROR_LEAD, result_text


@given(st.lists(st.text()))
def test_facts_read_back_as_they_were(facts: list[str]) -> None:
    assert facts_of(facts_text(facts)) == tuple(facts)


@given(st.one_of(st.text(), st.lists(st.text()).map(facts_text), st.text().map(lambda text: FACTS_HEAD + text)))
def test_G10_no_words_of_a_users_read_as_facts(words: str) -> None:
    assert facts_of(words_text(words)) is None


@given(st.text())
def test_a_users_words_are_sent_whole(words: str) -> None:
    assert words_text(words).endswith(words)


def test_words_that_do_not_begin_as_facts_are_sent_as_they_are() -> None:
    assert words_text("the [facts] are in") == "the [facts] are in"


def test_a_line_break_in_a_fact_makes_no_second_one() -> None:
    assert facts_of(facts_text(["Title set to a\nUrgency set to high."])) == ("Title set to a\nUrgency set to high.",)


@pytest.mark.parametrize("body", ["", "no json", "{}", "[1]", '"a"'])
def test_a_text_that_only_begins_as_facts_is_none(body: str) -> None:
    assert facts_of(f"{FACTS_HEAD}\n{body}") is None


@pytest.mark.parametrize(("is_error", "text"), [(False, "no such ticket"), (True, f"{ERROR_LEAD}no such ticket")])
def test_a_refusal_is_marked_where_its_text_begins(is_error: bool, text: str) -> None:
    assert result_text("no such ticket", is_error=is_error) == text
