"""What the runtime draws for a person: chips, a text field, the summary, a receipt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["chips", "text", "summary", "receipt"]


@dataclass(frozen=True, kw_only=True)
class BlockOption:
    """A thing to tap: its id within the block, and what a person reads. Its meaning stays on the server."""

    id: str
    label: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the summary or the receipt: the slot, its label, and the value as a person reads it."""

    slot: str
    label: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Block:
    """A drawn block. `question` and `revision` are what an answer must name; a receipt has nothing to answer."""

    kind: BlockKind
    step: str
    question: str
    revision: int
    label: str
    lead: str
    options: tuple[BlockOption, ...] = ()
    rows: tuple[Row, ...] = ()
