"""The review: from the summary to one step that is asked again, with no model call."""

from __future__ import annotations

from marg_runtime.decide import flow
from marg_runtime.decide.book import Book
from marg_runtime.decide.drawing import next_id
from marg_runtime.decide.questions import rows
from marg_runtime.decide.settling import reopen_alone
from marg_runtime.events.step import QuestionDrawn, ReviewClosed, ReviewOpened
from marg_runtime.steps.option import Option
from marg_runtime.steps.review import REVIEW_KEY


def open_review(book: Book) -> None:
    """Put the summary away and ask which step to change; nothing is confirmed or lost by that."""
    question, review = book.state.question, book.domain.review
    assert question is not None, "a review is opened from the open summary"
    assert review is not None, "only a domain with a review offers one"
    book.emit(ReviewOpened(question=question.id))
    # A step that is not over cannot be asked again, and its option would stand for nothing.
    ended = [step for step in book.domain.steps if step.key in book.state.ended]
    back = Option(label=review.back_label, value=None, skip=True)
    book.emit(
        QuestionDrawn(
            question=next_id(book, REVIEW_KEY),
            step=REVIEW_KEY,
            kind="review",
            label=review.label,
            lead=review.lead,
            options=(*(Option(label=step.label, value=step.key) for step in ended), back),
            rows=rows(book),
        )
    )


def take(book: Book, option: Option) -> None:
    """An option of the review: its step and no other is asked again; the way back draws a new summary."""
    question = book.state.question
    assert question is not None, "a review is answered while it is open"
    step = None if option.skip else book.domain.step(str(option.value))
    book.emit(ReviewClosed(question=question.id, step=step.key if step else None))
    if step is not None:
        reopen_alone(book, step)
    flow.proceed(book)


def leave(book: Book) -> None:
    """Back to a new summary, as the last option has it."""
    take(book, Option(label="", value=None, skip=True))
