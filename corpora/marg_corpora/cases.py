"""The single replies behind a score: which were misread, flipped or missed, and how a person judged them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import get_args

from marg_corpora.cells import Judged, RowKey
from marg_corpora.judgement import Judgement
from marg_corpora.record import Record
from marg_corpora.tally import Side, side_of
from marg_runtime.reading.reading import ReadingKind

SIDES: tuple[str, ...] = get_args(Side)
DANGEROUS: tuple[Side, ...] = ("misread", "flip")

CASES_KEPT = 50
"""Replies kept for each reader and side unless more are asked for; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One reply that a reader got wrong. `judgement` is blank where nobody judged it."""

    row: RowKey
    side: Side
    record: Record
    reading: ReadingKind
    judgement: Judgement | None = None


@dataclass(slots=True, kw_only=True)
class Casebook:
    """Keeps what passes: the first `kept` cases of each reader and side in `sides`, and the judgements of all dangers.

    `judgements` are a person's, by the id of the record; `judged` counts the misreads and flips of each row by them.
    """

    sides: AbstractSet[Side] = frozenset()
    kept: int = CASES_KEPT
    judgements: Mapping[str, Judgement] = field(default_factory=dict)
    cases: list[Case] = field(default_factory=list)
    judged: Counter[tuple[RowKey, Judgement | None]] = field(default_factory=Counter)
    seen: Counter[tuple[str, Side]] = field(default_factory=Counter)

    def watch(self, judged: Iterable[Judged]) -> Iterator[Judged]:
        """Pass everything on and keep the cases."""
        for one in judged:
            side = side_of(one.record.label, one.verdict.kind)
            if side is not None:
                self._keep(one, side)
            yield one

    def left_out(self) -> int:
        """Give the number of cases on the wanted sides that were not kept."""
        return sum(number for (_, side), number in self.seen.items() if side in self.sides) - len(self.cases)

    def _keep(self, one: Judged, side: Side) -> None:
        judgement = self.judgements.get(one.record.id) if side in DANGEROUS else None
        if side in DANGEROUS:
            self.judged[one.row, judgement] += 1
        place = (one.row.reader, side)
        self.seen[place] += 1
        if side in self.sides and self.seen[place] <= self.kept:
            reading = one.verdict.kind
            self.cases.append(Case(row=one.row, side=side, record=one.record, reading=reading, judgement=judgement))
