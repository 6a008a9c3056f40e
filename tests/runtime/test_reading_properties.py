"""What must hold for any text at all."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marg_runtime import Choice, Question, Reading, read
from marg_runtime.reading.kinds import QuestionKind

KINDS: tuple[QuestionKind, ...] = ("confirm", "offer", "more", "boolean_slot", "review", "optional", "cancel", "other")
PLAIN = ("yes", "Yes, that is correct", "no thanks", "go ahead please", "sure, create it", "ok 👍", "no problem")
HARD = (
    "Yes but change the title to login fails",
    "Keep this private please",
    "No, create it later",
    "yes, but make it urgent",
    "change the priority to low",
    "no, set it to high",
)
texts = st.text(max_size=60)
questions = st.builds(
    Question, text=st.sampled_from(["", "Shall I create it?", "Is that right?"]), kind=st.sampled_from(KINDS)
)
fast = settings(max_examples=60, deadline=None)


def look(reading: Reading) -> tuple[str, str | None]:
    return reading.kind, reading.choice


@fast
@given(texts, questions, st.sampled_from(["whole_message", "literal", "leading_word", "click_only"]))
def test_no_text_makes_a_reader_raise(reply: str, question: Question, reader: str) -> None:
    assert read(reply, question, reader=reader).kind in ("plain_yes", "plain_no", "content")


@fast
@given(texts, questions)
def test_tokens_lie_in_the_reply_in_order(reply: str, question: Question) -> None:
    tokens = read(reply, question).tokens
    assert all(0 <= t.start < t.end <= len(reply) and reply[t.start : t.end] == t.text for t in tokens)
    assert [t.start for t in tokens] == sorted(t.start for t in tokens)


@fast
@given(st.sampled_from(PLAIN), st.text("bdfgjklpqvwxz", min_size=5, max_size=9), st.integers(0, 5), questions)
def test_R5_a_word_outside_the_vocabulary_never_yields_a_yes(
    reply: str, word: str, place: int, question: Question
) -> None:
    words = reply.split()
    words.insert(min(place, len(words)), word)
    assert read(" ".join(words), question).kind == "content"


@fast
@given(
    st.sampled_from(PLAIN),
    st.sampled_from(["not", "never", "nope", "don't", "no", "nah"]),
    st.integers(0, 5),
    questions,
)
def test_R5_a_deny_word_anywhere_never_leaves_a_yes(reply: str, word: str, place: int, question: Question) -> None:
    words = reply.split()
    words.insert(min(place, len(words)), word)
    assert read(" ".join(words), question).kind != "plain_yes"


@fast
@given(st.sampled_from([*PLAIN, *HARD]), questions, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_R8_case_spacing_marks_and_form_change_no_reading(reply: str, question: Question, form: str) -> None:
    expected = look(read(reply, question))
    dressed = "  " + unicodedata.normalize(form, reply.upper()).replace(" ", " \t ") + "!!."  # type: ignore[arg-type]
    assert look(read(dressed, question)) == expected


@fast
@given(texts, questions)
def test_R8_the_unicode_form_of_any_text_changes_no_reading(reply: str, question: Question) -> None:
    assert look(read(unicodedata.normalize("NFKC", reply), question)) == look(read(reply, question))


@fast
@given(
    st.sampled_from(HARD), st.lists(st.one_of(texts, st.sampled_from([w for h in HARD for w in h.split()])), max_size=5)
)
def test_R3_no_drafted_value_makes_hard_content_plain(reply: str, values: list[str]) -> None:
    assert {read(reply, Question(text="Is that right?", kind=kind, values=tuple(values))).kind for kind in KINDS} == {
        "content"
    }


@fast
@given(st.sampled_from(HARD), st.lists(st.sampled_from([w for h in HARD for w in h.split()]), max_size=4))
def test_R3_no_one_word_label_makes_hard_content_a_choice(reply: str, labels: list[str]) -> None:
    options = tuple(Choice(label=label, value=label) for label in labels)
    assert read(reply, Question(text="Which one?", kind="choice", options=options)).kind == "content"


@pytest.mark.parametrize("unit", ["yes ", "a", "no, ", "that is ", "yes yes", "é", "は", "'", "-", "7.", "👍", "\\r"])
def test_a_very_long_reply_is_read(unit: str) -> None:
    reply = unit * (100_000 // len(unit))
    assert len(read(reply, Question(text="Is that right?")).tokens) <= len(reply)
