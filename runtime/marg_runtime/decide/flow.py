"""What comes next: the open question again, the next owed step, the summary, or nothing."""

from __future__ import annotations

from marg_runtime.decide import questions
from marg_runtime.decide.book import Book
from marg_runtime.decide.settling import reopen
from marg_runtime.decide.writes import show_receipt
from marg_runtime.events.step import DraftInvalid
from marg_runtime.gate import expired
from marg_runtime.owed import next_step
from marg_runtime.steps.confirm import CONFIRM_KEY


def proceed(book: Book) -> None:
    """Draw what is open again, or flow into the next owed step, or into the summary; with no model call."""
    if book.state.question is not None:
        _redraw(book)
        return
    write = book.state.draft_write
    if write is not None:
        if write.status == "unknown":
            book.say(book.domain.lines.write_unknown)
        elif book.state.receipt_owed:
            show_receipt(book)
        return
    step = next_step(book.domain, book.state)
    if step is not None:
        questions.ask(book, step)
    elif not _invalid(book):
        questions.summarise(book)


def _redraw(book: Book) -> None:
    """The open question again; a summary that has expired is told and drawn anew, lest a tap on it be refused. One
    whose options were not found looks for them again."""
    question = book.state.question
    step = book.domain.step(question.step) if question is not None else None
    if question is not None and step is not None and any(option.retry for option in question.drawn.options):
        questions.look_for_options(book, step)
    elif question is not None and question.step == CONFIRM_KEY and expired(book.surroundings, book.state):
        book.say(book.domain.lines.expired)
        questions.summarise(book)
    else:
        questions.redraw(book)


def show_again(book: Book) -> None:
    """For a reload: the open question, or the receipt of what was written, or what is owed."""
    if book.state.question is None and show_receipt(book, again=False):
        return
    if book.state.question is not None or book.state.ended or book.state.said:
        proceed(book)


def _invalid(book: Book) -> bool:
    """Whether the draft cannot be sent; then the user is told and the step of the problem is asked again."""
    values = book.state.draft.arguments()
    problems = book.domain.validate(values)
    if not problems:
        return False
    problem = problems[0]
    book.emit(DraftInvalid(slot=problem.slot, problem=problem.text))
    book.say(book.domain.lines.invalid, problem=problem.text)
    step = book.domain.slot_step(problem.slot)
    if step is not None:
        reopen(book, step, because="invalid")
        questions.ask(book, step)
    return True
