"""The single replies behind a score: which were misread, flipped or missed, and how a person judged them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import get_args

from marg_corpora.cells import Judged, RowKey
from marg_corpora.judgement import Judgement
from marg_corpora.plan import Plan
from marg_corpora.record import Record
from marg_corpora.tally import DANGEROUS, Side, side_of
from marg_runtime.reading.kinds import ReadingKind

SIDES: tuple[str, ...] = get_args(Side)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One reply that a reader got wrong. `judgement` is None where nobody judged it."""

    row: RowKey
    side: Side
    record: Record
    reading: ReadingKind
    judgement: Judgement | None = None


@dataclass(slots=True, kw_only=True)
class Casebook:
    """Keeps of what passes the first cases of each reader on each wanted side, and counts the rest.

    `judged` counts the misreads and flips of each row by a person's judgement, None where there is none.
    """

    plan: Plan = field(default_factory=Plan)
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

    def __add__(self, later: Casebook) -> Casebook:
        """Join the book of what came later to this one; no more cases are kept than the plan allows."""
        room = Counter({place: self.plan.kept - self._kept_of(place) for place in later.seen})
        cases = list(self.cases)
        for case in later.cases:
            place = (case.row.reader, case.side)
            if room[place] > 0:
                cases.append(case)
                room[place] -= 1
        return Casebook(plan=self.plan, cases=cases, judged=self.judged + later.judged, seen=self.seen + later.seen)

    def left_out(self) -> int:
        """Give the number of cases on the wanted sides that were not kept."""
        return sum(number for (_, side), number in self.seen.items() if side in self.plan.sides) - len(self.cases)

    def _kept_of(self, place: tuple[str, Side]) -> int:
        return min(self.seen[place], self.plan.kept)

    def _keep(self, one: Judged, side: Side) -> None:
        judgement = self.plan.judgements.get(one.record.id) if side in DANGEROUS else None
        if side in DANGEROUS:
            self.judged[one.row, judgement] += 1
        place = (one.row.reader, side)
        self.seen[place] += 1
        if side in self.plan.sides and self.seen[place] <= self.plan.kept:
            reading = one.verdict.kind
            self.cases.append(Case(row=one.row, side=side, record=one.record, reading=reading, judgement=judgement))
