"""A question answered in the user's own words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Unpack

from marg_runtime.errors import UsageError
from marg_runtime.steps.step import OneSlotStep, StepOptions, step_options

_BETWEEN = re.compile(r"[,;\n、，；،؛]+")


@dataclass(frozen=True, kw_only=True)
class Item:
    """An item of a list that a person wrote, and where it stands in their text."""

    text: str
    start: int
    end: int


def items_of(text: str) -> tuple[Item, ...]:
    """The items of a text, divided at commas, semicolons and line ends; one that comes twice counts once."""
    found: dict[str, Item] = {}
    start = 0
    for end in (*_BETWEEN.finditer(text), None):
        piece = text[start : end.start() if end else len(text)]
        item = piece.strip()
        if item:
            at = start + piece.index(item)
            found.setdefault(item.casefold(), Item(text=item, start=at, end=at + len(item)))
        start = end.end() if end else start
    return tuple(found.values())


@dataclass(frozen=True, kw_only=True)
class TextStep(OneSlotStep):
    """A step whose value is text: typed, submitted, or, where `proposable`, words of the user that the model points to.

    `proposable` widens rule S2 by one case: a slot that the runtime asks for only when the model has not pointed to the
    user's words for it. A required slot that no step owned would be asked by nobody once the model skipped it.
    many: the value is a list of texts. `max_length` counts the characters of a text, or of one item.
    """

    max_length: int = 2000
    proposable: bool = False
    many: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_length < 1:
            raise UsageError(f"step {self.key!r}: max_length is at least 1, got {self.max_length!r}")


def length_fault(step: TextStep, text: str) -> str | None:
    """Why a text, or an item of a list, is too long for a step; None where it is not."""
    return f"it has {len(text)} characters of at most {step.max_length}" if len(text) > step.max_length else None


def text_step(
    *,
    key: str,
    label: str,
    slot: str,
    lead: str,
    max_length: int = 2000,
    proposable: bool = False,
    many: bool = False,
    **others: Unpack[StepOptions],
) -> TextStep:
    """A text step. `max_length` counts characters; `proposable` lets the model propose a value quoted from the user.

    `many` makes the value a list: what a person types is divided at commas, semicolons and line ends, and what the
    model proposes is taken item by item, each with the words of the user's that hold it.

    Raises UsageError for a blank key, label, slot or lead, or a length below 1.
    """
    return TextStep(
        key=key,
        label=label,
        slot=slot,
        lead=lead,
        max_length=max_length,
        proposable=proposable,
        many=many,
        **step_options(others),
    )
