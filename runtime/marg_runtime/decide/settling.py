"""To settle: the value goes into the draft, one fact is queued, dependants are owed again (rule S1)."""

from __future__ import annotations

from typing import Literal

from marg_runtime.canonical import canonical_json
from marg_runtime.decide.book import Book
from marg_runtime.domain import SlotStep
from marg_runtime.draft import Value
from marg_runtime.events.step import StepReopened, StepSkipped, ValueSettled


def settle(book: Book, step: SlotStep, value: Value) -> None:
    """Write a step's value; where it changed, the steps that depend on it are owed again."""
    had_ended, before = step.key in book.state.ended, book.state.draft.values.get(step.slot)
    book.emit(ValueSettled(step=step.key, slot=step.slot, value=value, fact=step.fact(value.label)))
    if had_ended and (before is None or canonical_json(before.value) != canonical_json(value.value)):
        reopen_dependants(book, step)


def skip(book: Book, step: SlotStep) -> None:
    """End an optional step without a value."""
    line = book.domain.lines.skipped.replace("{label}", step.label)
    book.emit(StepSkipped(step=step.key, fact=line))


def reopen(book: Book, step: SlotStep, *, because: Literal["model", "invalid"]) -> None:
    """Owe an ended step again and ask it next. Its value leaves the draft, so its dependants are owed again too."""
    book.emit(StepReopened(step=step.key, slot=step.slot, because=because, next=True))
    reopen_dependants(book, step)


def reopen_dependants(book: Book, step: SlotStep) -> None:
    """Owe again whatever has ended, or is being asked, and depends on a step, through chains."""
    for dependant in book.domain.dependants(step.key):
        asked = book.state.question is not None and book.state.question.step == dependant.key
        if asked or dependant.key in book.state.ended:
            book.emit(StepReopened(step=dependant.key, slot=dependant.slot, because="dependency", next=False))
