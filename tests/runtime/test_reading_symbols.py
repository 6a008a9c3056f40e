"""A symbol at a word makes another word of it: what a yes is bound to is restated whole or not at all (R3)."""

from __future__ import annotations

import pytest

from marg_runtime import Choice, Question, read

OPTIONS = (Choice(label="1", value="one"), Choice(label="2", value="two"))


@pytest.mark.parametrize(
    ("value", "reply"),
    [
        ("/srv/a", "yes /srv/a/*"),
        ("/srv/a", "yes ../srv/a"),
        ("/srv/a", "yes ~/srv/a"),
        ("rm -rf build", "yes rm -rf build/.."),
        ("100 EUR", "yes -100 EUR"),
        ("100 EUR", ">100 EUR yes"),
        ("C", "yes C++"),
        ("git push origin main", "yes git push origin +main"),
    ],
)
def test_R3_a_value_with_a_symbol_more_is_another_value(value: str, reply: str) -> None:
    assert read(reply, Question(text="Run this?", values=(value,))).kind == "content"


@pytest.mark.parametrize("value", ["/srv/a", "rm -rf build", "100 EUR", "C++", "$20", "git push origin +main"])
def test_R3_a_value_restated_as_it_was_shown_adds_nothing(value: str) -> None:
    assert read(f"yes, {value}", Question(text="Run this?", values=(value,))).kind == "plain_yes"


@pytest.mark.parametrize("reply", ["-2", "~2", ">1", "1+", "!1"])
def test_R5_an_option_with_a_symbol_more_is_no_option(reply: str) -> None:
    assert read(reply, Question(text="Which one?", kind="choice", options=OPTIONS)).kind == "content"


@pytest.mark.parametrize("reply", ["yes!!!", "Yes! please", "yes - please", "yes...", "yes :)", "(yes)"])
def test_punctuation_around_a_yes_is_no_symbol(reply: str) -> None:
    assert read(reply, Question(text="Run this?")).kind == "plain_yes"
