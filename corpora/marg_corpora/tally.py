"""The tally of a row: replies, misread, missed and flips, unique and weighted, on both sides of the decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

from marg_corpora.cells import Cell, Cells, Count, RowKey
from marg_corpora.record import Label
from marg_runtime.reading.kinds import ReadingKind

NONE = Count()

Side = Literal["misread", "flip", "missed_yes", "missed_no"]
"""The ways to be wrong, the dangerous ones first."""

DANGEROUS: tuple[Side, ...] = ("misread", "flip")
"""The sides on which something is settled that the person did not say."""

_PLAIN: tuple[ReadingKind, ...] = ("plain_yes", "plain_no")
_MISSED: Mapping[Label, Side] = {"plain_yes": "missed_yes", "plain_no": "missed_no"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What one reader made of one group of replies.

    `misread`: of `content`, read as a plain yes or no. `missed_yes`: of `plain_yes`, read as neither yes nor no.
    `missed_no`: likewise of `plain_no`. `flips`: of all yeses and noes (`yes_or_no`: plain and polar labels), a yes
    read as no or a no read as yes. `no_vocabulary`: replies in a language that the reader has no vocabulary for.
    """

    replies: Count = NONE
    content: Count = NONE
    misread: Count = NONE
    plain_yes: Count = NONE
    missed_yes: Count = NONE
    plain_no: Count = NONE
    missed_no: Count = NONE
    yes_or_no: Count = NONE
    flips: Count = NONE
    no_vocabulary: Count = NONE

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})


def tally_rows(cells: Cells) -> Mapping[RowKey, Tally]:
    """Give the tally of every row that has a cell."""
    rows: dict[RowKey, Tally] = {}
    for cell, count in cells.counts.items():
        rows[cell.row] = rows.get(cell.row, Tally()) + tally_of(cell, count)
    return rows


def tally_of(cell: Cell, count: Count) -> Tally:
    """Give the tally of one cell: what these replies are, and on which side they went wrong."""
    label = cell.label
    side = side_of(label, cell.reading)
    return Tally(
        replies=count,
        content=count if label == "content" else NONE,
        misread=count if side == "misread" else NONE,
        plain_yes=count if label == "plain_yes" else NONE,
        missed_yes=count if side == "missed_yes" else NONE,
        plain_no=count if label == "plain_no" else NONE,
        missed_no=count if side == "missed_no" else NONE,
        yes_or_no=count if label != "content" else NONE,
        flips=count if side == "flip" else NONE,
        no_vocabulary=count if cell.unknown_language else NONE,
    )


def side_of(label: Label, reading: ReadingKind) -> Side | None:
    """Say on which side a reading is wrong; None where it is not, and for a polar label that is not flipped."""
    if label == "content":
        return "misread" if reading in _PLAIN else None
    if reading in _PLAIN:
        return "flip" if label.rpartition("_")[2] != reading.rpartition("_")[2] else None
    return _MISSED.get(label)
