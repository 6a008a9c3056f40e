"""Reading a typed message as an answer to the open question."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from marg_runtime.decide.book import Book
from marg_runtime.domain import SlotStep
from marg_runtime.reading import Choice, Question, Reading, read
from marg_runtime.reading.kinds import QuestionKind
from marg_runtime.state import OpenQuestion
from marg_runtime.steps.confirm import CONFIRM_KEY
from marg_runtime.steps.review import REVIEW_KEY, ReviewStep
from marg_runtime.steps.step import Policy
from marg_runtime.steps.text import TextStep

Meaning = Literal["go_ahead", "decline", "choice", "choices", "value", "skip", "review", "back", "cancel", "content"]

_CONFIRM_MEANINGS: dict[str, Meaning] = {"plain_yes": "go_ahead", "plain_no": "decline"}
# What divides clauses in many scripts; a hyphen within a word does not.
_CLAUSE = re.compile(r"[,.;:!?…\n—–、，。；：！？،؛।]+|\s-+\s")


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
    if policy(book, question) == "click_only":
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


def policy(book: Book, question: OpenQuestion) -> Policy:
    """Whether a typed answer counts for the open question, or a tap alone."""
    step = book.domain.asking(question.step)
    # A session whose reader takes taps alone has no dialects beside it that take words.
    return step.policy if step and book.surroundings.reader != "click_only" else "click_only"


def _asked(book: Book, question: OpenQuestion) -> Question:
    """The open question as a reader takes it: its text, its kind, what it showed, its options."""
    drawn = question.drawn
    if drawn.kind == "summary":
        return Question(text=drawn.lead, kind="confirm", values=tuple(row.value for row in drawn.rows))
    if drawn.kind in ("chips", "multi_chips", "picker", "review"):
        choices = tuple(
            # The place is the runtime's own: no reply names it, and a way out of the question is not the last option.
            Choice(
                label=option.label,
                value=str(number),
                synonyms=option.synonyms,
                named_by_value=False,
                counted=not option.way_out,
            )
            for number, option in enumerate(drawn.options)
            # "Skip and Wi-Fi" is no list; to skip is read on its own.
            if not (option.skip and drawn.kind == "multi_chips")
        )
        return Question(text=drawn.lead, kind="choice", options=choices, many=drawn.kind == "multi_chips")
    step = book.domain.step(question.step)
    if step is None or step.required:
        return Question(text=drawn.lead, kind="other")
    # A no at an optional step is a skip, however its question is worded ("Anything to change?").
    return Question(text=drawn.lead, kind="optional", polarity="positive")


def _meaning(book: Book, question: OpenQuestion, reading: Reading, text: str) -> Meaning:
    if policy(book, question) == "click_only":
        return "content"
    dialects = _Dialects(text=text, language=book.domain.language)
    if question.step == CONFIRM_KEY:
        return _confirm_meaning(book, reading, dialects)
    # Labels come first: a choice question is read neither yes nor no, so the rest is read in dialects of its own.
    if reading.kind == "choice":
        return "choices" if reading.choices else "choice"
    if question.step == REVIEW_KEY:
        return "back" if dialects.leads_back() else "content"
    step = book.domain.step(question.step)
    if isinstance(step, TextStep):
        return _text_meaning(book, step, reading, dialects)
    return _side_meaning(book, step, dialects) if step else "content"


@dataclass(frozen=True, kw_only=True)
class _Dialects:
    """A message in the dialects of questions that are always open beside the one that was asked: skip and cancel."""

    text: str
    language: str

    def kind(self, dialect: QuestionKind) -> str:
        return read(self.text, Question(text="", kind=dialect), language=self.language).kind

    def skips(self) -> bool:
        return self.kind("optional") == "plain_no"

    def cancels(self) -> bool:
        # A bare yes is a yes to "cancel?" too, but nobody asked that.
        return self.kind("cancel") == "plain_yes" and not self.answers_yes()

    def answers_yes(self) -> bool:
        return self.kind("other") == "plain_yes"

    def begins_or_ends_aside(self) -> bool:
        """Whether its first clause calls off or skips, or a last one of several words: "never mind, sorry".

        One word at the end may be the last item of a list ("save, cancel").
        """
        clauses = [clause for clause in _CLAUSE.split(self.text) if clause.strip()]
        if len(clauses) < 2:
            return False
        first, last = (replace(self, text=clause) for clause in (clauses[0], clauses[-1]))
        return first.calls_off() or (len(read(last.text, None).tokens) > 1 and last.calls_off())

    def calls_off(self) -> bool:
        """Whether it calls off or skips in words of its own; a bare no may belong to what follows it."""
        return self.cancels() or (self.skips() and self.kind("other") != "plain_no")

    def leads_back(self) -> bool:
        """Whether there is nothing to change after all: "nothing", "never mind", "keep it"."""
        return self.skips() or self.cancels() or self.keeps()

    def keeps(self) -> bool:
        return self.kind("review") == "plain_yes" and not self.answers_yes()

    def names(self, label: str) -> bool:
        """Whether the message is an option's label and nothing else."""
        own = Choice(label=label, value="0", named_by_value=False, counted=False)
        question = Question(text="", kind="choice", options=(own,))
        return read(self.text, question, language=self.language).kind == "choice"


def _confirm_meaning(book: Book, reading: Reading, dialects: _Dialects) -> Meaning:
    """At the summary the words of the option that declines decline, however hedged they read ("Not yet")."""
    if dialects.names(book.domain.confirm.decline_label):
        return "decline"
    return _CONFIRM_MEANINGS.get(reading.kind) or _review_meaning(book.domain.review, dialects)


def _review_meaning(review: ReviewStep | None, dialects: _Dialects) -> Meaning:
    """Content at the summary that asks for the review in so many words: its label, or "change something"."""
    if review is None or review.policy == "click_only":
        opens = False
    else:
        opens = dialects.kind("review") == "plain_no" or dialects.names(review.option_label)
    return "review" if opens else "cancel" if dialects.cancels() else "content"


def _side_meaning(book: Book, step: SlotStep, dialects: _Dialects) -> Meaning:
    """Skip and cancel, and at a step that is asked again "keep it", which calls the change off."""
    if not step.required and dialects.skips():
        return "skip"
    kept = step.key in book.state.revised and dialects.keeps()
    return "cancel" if kept or dialects.cancels() else "content"


def _text_meaning(book: Book, step: TextStep, reading: Reading, dialects: _Dialects) -> Meaning:
    """Rule S5: a question, a cancel or skip phrase, or a bare yes or no is not the value."""
    if reading.kind == "plain_no" and not step.required:
        return "skip"
    if reading.asks or reading.kind in ("plain_yes", "plain_no") or not dialects.text.strip():
        return "content"
    side = _side_meaning(book, step, dialects)
    if side != "content":
        return side
    # "Skip" at a step that cannot be skipped is still no value, nor are "keep going" and a yes in another dialect.
    aside = any(dialects.kind(kind) in ("plain_yes", "plain_no") for kind in ("cancel", "optional"))
    return "content" if aside or dialects.begins_or_ends_aside() else "value"
