"""A submitted form: all of its fields are good and settle together, or what is wrong is drawn and nothing settles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from marg_runtime.decide import flow
from marg_runtime.decide.book import Book
from marg_runtime.decide.questions import redraw
from marg_runtime.decide.settling import settle_form
from marg_runtime.draft import Value
from marg_runtime.events.step import DrawnField, ValueRefused
from marg_runtime.events.turn import AnswerRefused
from marg_runtime.lines import Lines
from marg_runtime.steps.field_value import Fault, FieldValue, parse_field
from marg_runtime.steps.form import FormStep
from marg_runtime.steps.option import by_id


def submit_form(book: Book, step: FormStep, texts: Mapping[str, str]) -> None:
    """The texts of the fields by slot; one that is missing is empty, one that the form does not have refuses it all."""
    question = book.state.question
    assert question is not None, "a form is submitted only while it is open"
    if not set(texts) <= set(step.slots):
        book.emit(AnswerRefused(reason="unusable", question=question.id))
        book.say(book.domain.lines.stale)
        redraw(book)
        return
    drawn = {one.slot: one for one in question.drawn.fields}
    parsed = {
        one.slot: parse_field(one, texts.get(one.slot, ""), options=drawn[one.slot].options) for one in step.fields
    }
    faults = {slot: fault for slot, fault in parsed.items() if isinstance(fault, Fault)}
    if faults:
        _refuse(book, texts, faults)
        return
    values = {
        slot: Value(value=value.value, label=_label(book.domain.lines, drawn[slot], value), provenance="form")
        for slot, value in parsed.items()
        if isinstance(value, FieldValue)
    }
    settle_form(book, step, values)
    flow.proceed(book)


def _refuse(book: Book, texts: Mapping[str, str], faults: Mapping[str, Fault]) -> None:
    """Draw the form again with all that was typed, each fault at its field."""
    question = book.state.question
    assert question is not None, "a form is refused only while it is open"
    lines = book.domain.lines
    for slot, fault in faults.items():
        book.emit(ValueRefused(slot=slot, value=texts.get(slot, ""), by="user", reason=fault.word))
    book.say(lines.check_fields)
    fields = (
        replace(
            one,
            value=texts.get(one.slot, ""),
            error=lines.fault(faults[one.slot].word, limit=faults[one.slot].limit) if one.slot in faults else None,
        )
        for one in question.drawn.fields
    )
    redraw(book, fields=tuple(fields))


def _label(lines: Lines, drawn: DrawnField, value: FieldValue) -> str:
    """The value as a person reads it in the summary."""
    if drawn.type == "boolean":
        return lines.true_label if value.value is True else lines.false_label
    if drawn.type == "choice":
        return by_id(drawn.options)[value.text].label
    return value.text
