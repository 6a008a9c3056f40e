"""Several options at once: submitted together, or named in one message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from marg_runtime.decide import flow
from marg_runtime.decide.book import Book
from marg_runtime.decide.questions import redraw
from marg_runtime.decide.settling import settle, skip
from marg_runtime.draft import Provenance, Span, Value
from marg_runtime.events.step import ValueRefused
from marg_runtime.events.turn import AnswerRefused
from marg_runtime.steps.multi_chips import MultiChipsStep
from marg_runtime.steps.option import by_id, option_id


def submit_choices(book: Book, step: MultiChipsStep, chosen: Sequence[str]) -> None:
    """Options by their ids, in any order, each counted once. None at all leaves an optional step out."""
    question = book.state.question
    assert question is not None, "options are submitted only for the open question"
    places = {one: n for n, (one, option) in enumerate(by_id(question.drawn.options).items()) if not option.skip}
    if any(one not in places for one in chosen):
        book.emit(AnswerRefused(reason="unknown_option", question=question.id))
        book.say(book.domain.lines.unknown_option)
        redraw(book)
    elif not chosen and not step.required:
        skip(book, step)
        flow.proceed(book)
    else:
        take_choices(book, step, (places[one] for one in chosen), provenance="form", span=None)


def take_choices(
    book: Book, step: MultiChipsStep, places: Iterable[int], *, provenance: Provenance, span: Span | None
) -> None:
    """Settle the list in the order of the options, or say how many it may be; what was chosen stays chosen."""
    question = book.state.question
    assert question is not None, "options are chosen only of the open question"
    assert question.drawn.selection is not None, "multi chips are drawn with what may be selected"
    limits, numbers = question.drawn.selection, sorted(set(places))
    options = [question.drawn.options[number] for number in numbers]
    if not limits.least <= len(options) <= limits.most:
        reason = f"{len(options)} were chosen of {limits.least} to {limits.most}"
        book.emit(ValueRefused(slot=step.slot, value=[one.value for one in options], by="user", reason=reason))
        numbered = {"least": str(limits.least), "most": str(limits.most), "count": str(len(options))}
        book.say(book.domain.lines.choose_count, label=step.label, **numbered)
        redraw(book, selection=replace(limits, chosen=tuple(option_id(number) for number in numbers)))
        return
    label = ", ".join(option.label for option in options)
    settle(book, step, Value(value=[one.value for one in options], label=label, provenance=provenance, span=span))
    flow.proceed(book)
