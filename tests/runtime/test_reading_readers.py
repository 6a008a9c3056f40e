"""The door: readers by name, adapters, languages, errors."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from marg_runtime import Choice, Question, Reading, languages, read, reader_names, vocabulary_digest
from marg_runtime.errors import ReadingError
from marg_runtime.reading.vocabulary import Vocabulary

QUESTION = Question(text="Shall I create this ticket?")


@dataclass(frozen=True)
class Echoing:
    """A reader of somebody else's: says yes to everything."""

    name: str = "echoing"

    def read(self, reply: str, question: Question, vocabulary: Vocabulary) -> Reading:
        return Reading(kind="plain_yes", reader=self.name, language=vocabulary.language)


def test_the_shipped_readers_are_known_by_name() -> None:
    assert reader_names()[:4] == ("whole_message", "literal", "leading_word", "click_only")


def test_a_reader_object_is_taken_as_it_is() -> None:
    assert read("whatever", QUESTION, reader=Echoing()).kind == "plain_yes"


def test_a_reader_object_reads_nothing_without_a_question() -> None:
    assert read("whatever", None, reader=Echoing()).kind == "content"


def test_an_unknown_reader_is_named_with_the_nearest() -> None:
    with pytest.raises(ReadingError, match="'whole_mesage'; nearest: whole_message"):
        read("yes", QUESTION, reader="whole_mesage")


def test_an_unknown_kind_is_named_with_the_nearest() -> None:
    with pytest.raises(ReadingError, match="'confrim'; nearest: confirm"):
        Question(kind="confrim")  # type: ignore[arg-type]


def test_an_unknown_polarity_is_refused() -> None:
    with pytest.raises(ReadingError, match="'up'"):
        Question(polarity="up")  # type: ignore[arg-type]


@pytest.mark.parametrize("reply", ["Yes but change the title", "Keep this private please", "Sure, what is it"])
def test_leading_word_misreads_what_starts_with_a_yes(reply: str) -> None:
    assert read(reply, QUESTION, reader="leading_word").kind == "plain_yes"


def test_leading_word_misreads_what_starts_with_a_no() -> None:
    assert read("No, create it later", QUESTION, reader="leading_word").kind == "plain_no"


def test_leading_word_leaves_another_first_word_alone() -> None:
    assert read("the title, yes", QUESTION, reader="leading_word").kind == "content"


@pytest.mark.parametrize("reply", ["yes", "Yes please", "ok, ticket please"])
def test_literal_reads_word_for_word(reply: str) -> None:
    assert read(reply, QUESTION, reader="literal").kind == "plain_yes"


@pytest.mark.parametrize("reply", ["yes, that is correct", "yes, please create it now", "yes no", "yes?", "yes 2"])
def test_literal_misses_what_only_restates(reply: str) -> None:
    assert read(reply, QUESTION, reader="literal").kind == "content"


@pytest.mark.parametrize("reply", ["yes", "no", "go ahead"])
def test_click_only_reads_nothing_typed(reply: str) -> None:
    assert read(reply, QUESTION, reader="click_only").kind == "content"


@pytest.mark.parametrize("reader", ["whole_message", "literal", "click_only"])
def test_a_choice_question_is_never_yes(reader: str) -> None:
    assert read("yes", Question(text="Which one?", kind="choice"), reader=reader).kind == "content"


def test_a_blank_question_of_kind_other_is_a_generic_confirmation() -> None:
    assert read("yes, that's right", Question(text="  ", kind="other")).kind == "plain_yes"


@pytest.mark.parametrize(
    "reply", ["can you book a hotel", "what should i do", "why do you ask", "yes?", "tell me more"]
)
def test_a_reply_that_asks_says_so(reply: str) -> None:
    assert read(reply, QUESTION).asks


@pytest.mark.parametrize("reply", ["yes", "The printer on floor two is broken.", "no thanks"])
def test_a_reply_that_does_not_ask_says_so(reply: str) -> None:
    assert not read(reply, QUESTION).asks


def test_english_has_a_vocabulary() -> None:
    assert "en" in languages()


def test_a_digest_is_a_sha256_in_hex_and_stays() -> None:
    assert len(vocabulary_digest("en")) == 64
    assert vocabulary_digest("en") == vocabulary_digest("en")


@pytest.mark.parametrize("language", ["xx", "", "../en", "en.toml", "EN"])
def test_a_digest_of_a_language_without_a_vocabulary_is_an_error(language: str) -> None:
    with pytest.raises(ReadingError, match="no vocabulary"):
        vocabulary_digest(language)


def test_lists_in_a_question_are_kept_as_tuples() -> None:
    question = Question(text="?", values=["a"], options=[Choice(label="A", value="a")])  # type: ignore[arg-type]
    assert (question.values, type(question.options)) == (("a",), tuple)


@pytest.mark.parametrize("field", ["nouns", "verbs", "values", "options"])
def test_one_text_for_many_is_refused_by_the_name_of_its_field(field: str) -> None:
    with pytest.raises(ReadingError, match=f"{field} must be a list, not 'High'"):
        Question(**{field: "High"})  # type: ignore[arg-type]


def test_an_option_that_is_no_choice_is_refused() -> None:
    with pytest.raises(ReadingError, match="options hold 'a', which is no Choice"):
        Question(options=["a"])  # type: ignore[arg-type]


def test_a_question_that_is_a_text_is_refused() -> None:
    with pytest.raises(ReadingError, match="must be a Question or None"):
        read("yes", "Shall I?")  # type: ignore[arg-type]


def test_a_reply_that_is_no_text_is_refused() -> None:
    with pytest.raises(ReadingError, match="must be a text, not 7"):
        read(7, QUESTION)  # type: ignore[arg-type]
