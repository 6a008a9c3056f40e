"""The confusion cells: how often each reader made what of which label. Everything else is derived from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from marg_corpora.record import Label, Record
from marg_corpora.record_reader import Verdict
from marg_runtime.reading.kinds import ReadingKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many records (`unique`) and how many replies they stand for (`weighted` by `n`)."""

    unique: int = 0
    weighted: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(unique=self.unique + other.unique, weighted=self.weighted + other.weighted)


class RowKey(NamedTuple):
    """What a row of a table is about: a reader, a source, and the value of the group (the source itself, or "")."""

    reader: str
    source: str
    group: str


class Cell(NamedTuple):
    """One cell of a row's confusion matrix. `unknown_language` names one that the reader has no vocabulary for."""

    row: RowKey
    label: Label
    reading: ReadingKind
    unknown_language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One record as one reader read it, with the row that it counts in."""

    row: RowKey
    record: Record
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Counts by cell. Adding two is associative and commutative, so parts of a corpus can be counted apart."""

    counts: Mapping[Cell, Count] = field(default_factory=dict)

    def __add__(self, other: Cells) -> Cells:
        merged = dict(self.counts)
        for cell, count in other.counts.items():
            merged[cell] = merged.get(cell, Count()) + count
        return Cells(counts=merged)


def count_cells(judged: Iterable[Judged]) -> Cells:
    """Fold judged records into counts by cell, one pass, memory by the number of cells."""
    # Two plain counters while the fold runs: a frozen count for each reply would cost more than the reading.
    unique: Counter[Cell] = Counter()
    weighted: Counter[Cell] = Counter()
    for one in judged:
        unknown = "" if one.verdict.has_vocabulary else one.record.language
        cell = Cell(one.row, one.record.label, one.verdict.kind, unknown)
        unique[cell] += 1
        weighted[cell] += one.record.n
    return Cells(counts={cell: Count(unique=unique[cell], weighted=weighted[cell]) for cell in unique})
