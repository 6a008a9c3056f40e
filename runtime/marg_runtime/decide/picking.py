"""A search in an open picker: other words, or another page of what they found."""

from __future__ import annotations

from marg_runtime.acts import PageMove, Search
from marg_runtime.block import Page
from marg_runtime.decide.book import Book
from marg_runtime.decide.questions import look_for_options, redraw
from marg_runtime.events.turn import AnswerRefused
from marg_runtime.steps.picker import LONGEST_QUERY, PickerStep


def search(book: Book, asked: Search) -> None:
    """Look for options. They are another question, so that a tap made on the old page cannot pick from the new one."""
    question = book.state.question
    assert question is not None, "a search is made only in an open picker"
    step, page = book.domain.step(question.step), question.drawn.page
    if not isinstance(step, PickerStep) or page is None:
        book.emit(AnswerRefused(reason="wrong_kind", question=question.id))
        book.say(book.domain.lines.stale)
        redraw(book)
        return
    query = page.query if asked.query is None else asked.query.strip()[:LONGEST_QUERY]
    number = 1 if query != page.query else _number(page, asked.page)
    if number is None:
        book.emit(AnswerRefused(reason="unusable", question=question.id))
        book.say(book.domain.lines.no_such_page)
        redraw(book)
        return
    look_for_options(book, step, query=query, page=number)


def _number(page: Page, move: PageMove) -> int | None:
    """The number of the page that a move leads to, or None where there is none. Other words begin at the first."""
    if move == "first":
        return 1
    if move == "next":
        return page.number + 1 if page.next else None
    return page.number - 1 if page.previous else None
