"""What a message that answered nothing came to, and what is offered when that has gone on for too long."""

from __future__ import annotations

from dataclasses import replace

from marg_runtime.canonical import Json
from marg_runtime.decide.book import Book
from marg_runtime.decide.drawing import next_id
from marg_runtime.domain import QuestionStep
from marg_runtime.events.turn import ReplyOutcome
from marg_runtime.state import OpenQuestion
from marg_runtime.steps.option import Option, quoted
from marg_runtime.steps.text import TextStep, items_of


def content_ended(book: Book) -> None:
    """The model has said its say to a message: say what the message came to, and count it where it came to nothing.

    A digression leaves the open question as it was, with its id, its revision and its options.
    """
    state = book.state
    if state.asked is None:
        return
    if state.outcome is None:
        book.emit(ReplyOutcome(outcome="correct" if state.changed else "digress", question=state.asked))
    question = book.state.question
    step = book.domain.asking(question.step) if question else None
    if question is None or step is None or question.id != state.asked:
        return
    if book.state.outcome in ("digress", "cancel") and question.strayed >= step.reask_budget:
        _offer(book, question, step)


def _offer(book: Book, question: OpenQuestion, step: QuestionStep) -> None:
    """Say what can be tapped. A text has nothing to tap, so the person's own words become an option."""
    lines = book.domain.lines
    if isinstance(step, TextStep):
        question = _with_words(book, question, step)
    labels = ", ".join(option.label for option in question.drawn.options)
    said = {
        "text": lines.tap_or_field if labels else lines.use_field,
        "multi_chips": lines.choose_and_send,
        "form": lines.fill_in_and_send,
        "picker": lines.tap_or_search if labels else lines.search,
    }
    book.say(said.get(question.drawn.kind, lines.tap_one), options=labels)


def _with_words(book: Book, question: OpenQuestion, step: TextStep) -> OpenQuestion:
    """Ask a text anew with what the person typed last to tap, should it have been meant as the value all along."""
    words = book.state.said[-1].strip()
    if not words or len(words) > step.max_length:
        return question
    value: Json = [item.text for item in items_of(words)] if step.many else words
    if not value:
        return question
    own = Option(label=quoted(book.domain.lines.use_label, words), value=value)
    others = tuple(option for option in question.drawn.options if option.way_out)
    drawn = replace(question.drawn, question=next_id(book, step.key), options=(own, *others))
    book.emit(drawn)
    asked = book.state.question
    assert asked is not None, "a question that was drawn is open"
    return asked
