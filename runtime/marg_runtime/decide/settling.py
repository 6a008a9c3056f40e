"""To settle: the value goes into the draft, one fact is queued, dependants are owed again (rule S1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from marg_runtime.canonical import canonical_json
from marg_runtime.decide.book import Book
from marg_runtime.draft import Value
from marg_runtime.events.step import FormSettled, StepReopened, StepSkipped, ValueSettled
from marg_runtime.steps.form import FormStep
from marg_runtime.steps.step import OneSlotStep, Step


def settle(book: Book, step: OneSlotStep, value: Value) -> None:
    """Write a step's value; where it changed, the steps that depend on it are owed again."""
    settled = ValueSettled(step=step.key, slot=step.slot, value=value, fact=step.fact(value.label))
    _end(book, step, settled, now={step.slot: value})


def settle_form(book: Book, step: FormStep, values: Mapping[str, Value]) -> None:
    """Write the values of a form, all at once and with one fact; a slot without a value was left empty."""
    fact = step.fact_of({slot: value.label for slot, value in values.items()})
    _end(book, step, FormSettled(step=step.key, values=values, fact=fact), now=values)


def skip(book: Book, step: Step) -> None:
    """End an optional step without a value."""
    line = book.domain.lines.skipped.replace("{label}", step.label)
    _end(book, step, StepSkipped(step=step.key, fact=line), now={})


def keep(book: Book, step: Step) -> bool:
    """End a step that was re-opened for a change of its own as it was; False for any other."""
    if step.key not in book.state.revised:
        return False
    former = book.state.former.get(step.key, {})
    if isinstance(step, OneSlotStep) and step.slot in former:
        settle(book, step, former[step.slot])
    elif isinstance(step, FormStep) and (former or step.required):
        settle_form(book, step, former)
    elif not step.required:
        skip(book, step)
    else:
        return False
    return True


def _end(book: Book, step: Step, event: ValueSettled | FormSettled | StepSkipped, *, now: Mapping[str, Value]) -> None:
    """End a step; where it had ended before with something else, its dependants are owed again."""
    ever, before = step.key in book.state.since, _before(book, step)
    book.emit(event)
    if ever and _plain(before) != _plain(now):
        reopen_dependants(book, step)


def _before(book: Book, step: Step) -> Mapping[str, Value]:
    """What the step had filled in last, whether it still stands in the draft or left it with the re-opening."""
    values = book.state.draft.values
    standing = {slot: values[slot] for slot in step.slots if slot in values}
    return standing or book.state.former.get(step.key, {})


def _plain(values: Mapping[str, Value]) -> str:
    return canonical_json({slot: value.value for slot, value in values.items()})


def reopen(book: Book, step: Step, *, because: Literal["model", "invalid"]) -> None:
    """Owe an ended step again and ask it next. Its values leave the draft, so its dependants are owed again too."""
    book.emit(StepReopened(step=step.key, slots=step.slots, because=because, next=True))
    reopen_dependants(book, step)


def reopen_alone(book: Book, step: Step) -> None:
    """Owe one step again for the review; its dependants follow only once its answer turns out to be another one."""
    book.emit(StepReopened(step=step.key, slots=step.slots, because="review", next=True))


def reopen_dependants(book: Book, step: Step) -> None:
    """Owe again whatever has ended, is being asked, or waits to be asked again, and depends on a step, through chains.

    One that waits is owed already, but what it was has lost its ground with the rest: it cannot be kept any longer.
    """
    for dependant in book.domain.dependants(step.key):
        asked = book.state.question is not None and book.state.question.step == dependant.key
        if asked or dependant.key in book.state.ended or dependant.key in book.state.revised:
            book.emit(StepReopened(step=dependant.key, slots=dependant.slots, because="dependency", next=False))
