"""Whether a model's sentence asks."""

from __future__ import annotations

import pytest

from marg_runtime import asks


@pytest.mark.parametrize(
    "sentence",
    [
        "How urgent is this?",
        "Please tell me how urgent this is.",
        "Let me know which priority you want.",
        "Choose one of low, medium or high.",
        "Which priority fits",
        "Thanks! What priority should it have",
        "Next, please pick a priority.",
        "Could you tell me the priority",
        "Is this urgent",
        "I need to know how urgent it is.",
        "Got it, and how urgent is it",
    ],
)
def test_a_question_or_a_request_asks(sentence: str) -> None:
    assert asks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "High priority tickets get answered in a day.",
        "Priority set to High.",
        "I will let you know when it is done.",
        "When it is urgent, we answer within the hour.",
        "What you see below is the summary.",
        "The urgent ones come first.",
        "",
    ],
)
def test_a_statement_does_not_ask(sentence: str) -> None:
    assert not asks(sentence)


def test_without_a_vocabulary_the_question_mark_tells() -> None:
    assert asks("Hur bråttom är det?", language="sv")
    assert not asks("Det är bråttom.", language="sv")
