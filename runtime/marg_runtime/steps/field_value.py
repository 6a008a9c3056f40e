"""From what a person typed into a field to a value, and back. Pure, and total over texts: whatever is typed, it says
what is wrong rather than raise."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from marg_runtime.canonical import Json, canonical_json
from marg_runtime.steps.field import Field
from marg_runtime.steps.option import Option, by_id
from marg_runtime.steps.whole_date import whole_date

FaultWord: TypeAlias = Literal[
    "missing",
    "no_integer",
    "no_number",
    "no_boolean",
    "no_date",
    "no_email",
    "no_option",
    "below",
    "above",
    "too_long",
    "no_match",
]

LONGEST_NUMBER = 30  # characters; far beyond any quantity, and short enough that reading it costs nothing
LONGEST_EMAIL = 254  # characters: the longest address that SMTP's path of 256 leaves room for (RFC 5321, 4.5.3.1.3)
# Characters that a pattern is matched against. It bounds a pattern that takes as long as the square of its text, and no
# more: one that doubles with each character, like (a+)+b, takes for ever at 30. The pattern is the domain's own.
LONGEST_MATCHED = 2000

_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
_TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is wrong with a text, and the limit that it does not keep, as it would be typed."""

    word: FaultWord
    limit: str = ""


@dataclass(frozen=True, kw_only=True)
class FieldValue:
    """A value of the right type within its limits, and the text that stands for it."""

    value: Json
    text: str


def parse_field(field: Field, text: str, *, options: Sequence[Option] = ()) -> FieldValue | Fault | None:
    """The value of a text, what is wrong with it, or None where an optional field was left empty.

    options: those of a choice, as they were drawn; its text is the id of one (`o1` is the first).
    """
    typed = text.strip()
    if not typed:
        return Fault(word="missing") if field.required else None
    match field.type:
        case "text" | "email":
            return _text(field, typed)
        case "integer":
            return _integer(field, typed)
        case "number":
            return _number(field, typed)
        case "boolean":
            truth = _TRUTHS.get(typed.casefold())
            return Fault(word="no_boolean") if truth is None else FieldValue(value=truth, text=typed.casefold())
        case "date":
            return _date(field, typed)
        case "choice":
            return _choice(typed, options)


def typed_text(field: Field, *, value: Json, label: str, options: Sequence[Option] = ()) -> str:
    """The text that stands for a value, as a person would submit it; empty for a choice that is no longer offered."""
    if field.type == "boolean":
        return "true" if value is True else "false"
    if field.type == "choice":
        wanted = canonical_json(value)
        return next((one for one, option in by_id(options).items() if canonical_json(option.value) == wanted), "")
    return label


def _text(field: Field, typed: str) -> FieldValue | Fault:
    longest = field.max_length or (LONGEST_EMAIL if field.type == "email" else None)
    if field.pattern is not None:
        longest = min(longest or LONGEST_MATCHED, LONGEST_MATCHED)
    if longest is not None and len(typed) > longest:
        return Fault(word="too_long", limit=str(longest))
    if field.type == "email" and not _EMAIL.fullmatch(typed):
        return Fault(word="no_email")
    if field.pattern is not None and not re.fullmatch(field.pattern, typed):
        return Fault(word="no_match")
    return FieldValue(value=typed, text=typed)


def _integer(field: Field, typed: str) -> FieldValue | Fault:
    if len(typed) > LONGEST_NUMBER or not _INTEGER.fullmatch(typed):
        return Fault(word="no_integer")
    return _limited(field, int(typed), str(int(typed)))


def _number(field: Field, typed: str) -> FieldValue | Fault:
    if len(typed) > LONGEST_NUMBER or not _NUMBER.fullmatch(typed):
        return Fault(word="no_number")
    number = float(typed) if "." in typed else int(typed)
    # A number that cannot be sent as it was typed is none: nobody would see what becomes of it (rule G4).
    kept = math.isfinite(number) and Decimal(typed) == Decimal(repr(number))
    return _limited(field, number, format(Decimal(repr(number)), "f")) if kept else Fault(word="no_number")


def _limited(field: Field, number: int | float, typed: str) -> FieldValue | Fault:
    if isinstance(field.minimum, int | float) and number < field.minimum:
        return Fault(word="below", limit=str(field.minimum))
    if isinstance(field.maximum, int | float) and number > field.maximum:
        return Fault(word="above", limit=str(field.maximum))
    return FieldValue(value=number, text=typed)


def _date(field: Field, typed: str) -> FieldValue | Fault:
    if whole_date(typed) is None:
        return Fault(word="no_date")
    # Dates of this form are ordered as their texts are.
    if field.minimum is not None and typed < str(field.minimum):
        return Fault(word="below", limit=str(field.minimum))
    if field.maximum is not None and typed > str(field.maximum):
        return Fault(word="above", limit=str(field.maximum))
    return FieldValue(value=typed, text=typed)


def _choice(typed: str, options: Sequence[Option]) -> FieldValue | Fault:
    chosen = by_id(options).get(typed)
    return Fault(word="no_option") if chosen is None else FieldValue(value=chosen.value, text=typed)
