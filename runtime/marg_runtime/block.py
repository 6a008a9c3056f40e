"""What the runtime draws for a person: chips, fields, a picker, the summary, a receipt. A block is data and no more.

What an option means, and what a submit writes, stays on the server; a block can be sent to any client as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["chips", "multi_chips", "text", "form", "picker", "review", "summary", "receipt"]
FieldType = Literal["text", "integer", "number", "boolean", "date", "email", "choice"]


@dataclass(frozen=True, kw_only=True)
class BlockOption:
    """A thing to tap: its id within the block, and what a person reads. Its meaning stays on the server."""

    id: str
    label: str


@dataclass(frozen=True, kw_only=True)
class BlockField:
    """A field of a form: what is to be typed, what was typed (`value`), and what is wrong with that (`error`).

    A boolean is submitted as `true` or `false`, a date as YYYY-MM-DD, a choice as the id of one of `options`; an empty
    text is no value. minimum, maximum: as they would be typed. pattern: a regular expression for the whole text.
    """

    slot: str
    label: str
    type: FieldType
    required: bool
    value: str = ""
    error: str | None = None
    options: tuple[BlockOption, ...] = ()
    minimum: str | None = None
    maximum: str | None = None
    max_length: int | None = None
    pattern: str | None = None


@dataclass(frozen=True, kw_only=True)
class Selection:
    """How many options may be submitted together, and the ids of those that are to be shown as chosen."""

    least: int
    most: int
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Page:
    """Where a picker stands.

    query: the words that it looked for, empty where there were none. number: the page, from 1. previous, next: whether
    there is a page before this one, and one behind it.
    """

    query: str
    number: int
    previous: bool
    next: bool


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the summary or the receipt: the slot, its label, and the value as a person reads it."""

    slot: str
    label: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Block:
    """A drawn block. `question` and `revision` are what an answer must name; a receipt has nothing to answer.

    options: tapped one at a time, or, where there is a `selection`, submitted together. fields: submitted together.
    A block with a `page` can be searched.
    """

    kind: BlockKind
    step: str
    question: str
    revision: int
    label: str
    lead: str
    options: tuple[BlockOption, ...] = ()
    rows: tuple[Row, ...] = ()
    fields: tuple[BlockField, ...] = ()
    selection: Selection | None = None
    page: Page | None = None
