"""Reading a typed message as an answer to the open question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from marg_runtime.decide.book import Book
from marg_runtime.reading import Choice, Question, Reading, read
from marg_runtime.reading.kinds import QuestionKind
from marg_runtime.state import OpenQuestion
from marg_runtime.steps.chips import ChipsStep
from marg_runtime.steps.confirm import CONFIRM_KEY
from marg_runtime.steps.text import TextStep

Meaning = Literal["go_ahead", "decline", "choice", "value", "skip", "content"]

_CONFIRM_MEANINGS: dict[str, Meaning] = {"plain_yes": "go_ahead", "plain_no": "decline"}
_SIDE_DIALECTS: tuple[QuestionKind, ...] = ("cancel", "optional")


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A typed message, what was read in it, of which question (None: of none), and what it means there."""

    text: str
    reading: Reading
    question: str | None
    meaning: Meaning


def read_reply(book: Book, text: str, *, unbound: str | None) -> Reply:
    """Read a message once; `unbound` says why it answers nothing, and then it is content whatever it says."""
    question = book.state.question
    reader, language = book.surroundings.reader, book.domain.language
    if question is None or unbound is not None:
        return Reply(
            text=text, reading=read(text, None, reader=reader, language=language), question=None, meaning="content"
        )
    if _policy(book, question) == "click_only":
        reader = "click_only"
    reading = read(text, _asked(book, question), reader=reader, language=language)
    return Reply(text=text, reading=reading, question=question.id, meaning=_meaning(book, question, reading, text))


def read_again(book: Book, text: str) -> Reply:
    """Read a message as one more answer to a confirmation that has been answered: its client still displayed it."""
    question = Question(text=book.domain.confirm.lead, kind="confirm")
    reader = "click_only" if book.domain.confirm.policy == "click_only" else book.surroundings.reader
    reading = read(text, question, reader=reader, language=book.domain.language)
    meaning = _CONFIRM_MEANINGS.get(reading.kind, "content")
    return Reply(text=text, reading=reading, question=book.state.write_question, meaning=meaning)


def _policy(book: Book, question: OpenQuestion) -> str:
    step = book.domain.confirm if question.step == CONFIRM_KEY else book.domain.step(question.step)
    return step.policy if step else "click_only"


def _asked(book: Book, question: OpenQuestion) -> Question:
    """The open question as a reader takes it: its text, its kind, what it showed, its options."""
    drawn = question.drawn
    if drawn.kind == "summary":
        return Question(text=drawn.lead, kind="confirm", values=tuple(row.value for row in drawn.rows))
    if drawn.kind == "chips":
        choices = tuple(
            Choice(label=option.label, value=str(number), synonyms=option.synonyms)
            for number, option in enumerate(drawn.options)
        )
        return Question(text=drawn.lead, kind="choice", options=choices)
    step = book.domain.step(question.step)
    if step is None or step.required:
        return Question(text=drawn.lead, kind="other")
    # A no at an optional step is a skip, however its question is worded ("Anything to change?").
    return Question(text=drawn.lead, kind="optional", polarity="positive")


def _meaning(book: Book, question: OpenQuestion, reading: Reading, text: str) -> Meaning:
    if question.step == CONFIRM_KEY:
        return _CONFIRM_MEANINGS.get(reading.kind, "content")
    step = book.domain.step(question.step)
    if isinstance(step, ChipsStep):
        return _chips_meaning(step, reading, text, language=book.domain.language)
    if isinstance(step, TextStep) and step.policy != "click_only":
        return _text_meaning(step, reading, text, language=book.domain.language)
    return "content"


def _chips_meaning(step: ChipsStep, reading: Reading, text: str, *, language: str) -> Meaning:
    """Labels come first; a choice question is read neither yes nor no, so a skip is read in its own dialect."""
    if reading.kind == "choice":
        return "choice"
    if step.required or step.policy == "click_only":
        return "content"
    skipped = read(text, Question(text="", kind="optional"), language=language).kind == "plain_no"
    return "skip" if skipped else "content"


def _text_meaning(step: TextStep, reading: Reading, text: str, *, language: str) -> Meaning:
    """Rule S5: a question, a cancel or skip phrase, or a bare yes or no is not the value."""
    if reading.kind == "plain_no" and not step.required:
        return "skip"
    if reading.asks or reading.kind in ("plain_yes", "plain_no") or not text.strip():
        return "content"
    for kind in _SIDE_DIALECTS:
        # Read in that dialect: "never mind" and "skip" are words about the question, not an answer to it.
        dialect = read(text, Question(text="", kind=kind), language=language)
        if dialect.kind in ("plain_yes", "plain_no"):
            return "content" if step.required or kind == "cancel" else "skip"
    return "value"
