"""What scoring a part of a corpus gives; parts add up to the whole, in whatever process they were counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from marg_corpora.cases import Casebook
from marg_corpora.cells import Cells, Judged, RowKey, count_cells
from marg_corpora.plan import Plan
from marg_corpora.record import Record
from marg_corpora.record_reader import RecordReader, question_of
from marg_corpora.split import of_split

Place = tuple[str, str]
"""A source and the value of the group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """Counts by cell, conflicting records left out by place, and the casebook, of one part of a corpus."""

    cells: Cells = field(default_factory=Cells)
    left_out: Counter[Place] = field(default_factory=Counter)
    casebook: Casebook = field(default_factory=Casebook)

    def __add__(self, later: Partial) -> Partial:
        return Partial(
            cells=self.cells + later.cells,
            left_out=self.left_out + later.left_out,
            casebook=self.casebook + later.casebook,
        )


def collect(records: Iterable[Record], *, readers: Sequence[RecordReader], plan: Plan) -> Partial:
    """Read every record of the plan with every reader and count, one pass, at constant memory.

    What the readers and the records themselves raise goes through.
    """
    left_out: Counter[Place] = Counter()
    casebook = Casebook(plan=plan)
    kept = _without_conflicts(of_split(records, split=plan.split), plan=plan, left_out=left_out)
    cells = count_cells(casebook.watch(_judge(kept, readers=readers, plan=plan)))
    return Partial(cells=cells, left_out=left_out, casebook=casebook)


def _without_conflicts(records: Iterable[Record], *, plan: Plan, left_out: Counter[Place]) -> Iterator[Record]:
    for record in records:
        if record.conflict and not plan.with_conflicts:
            left_out[record.source, plan.group_of(record)] += 1
        else:
            yield record


def _judge(records: Iterable[Record], *, readers: Sequence[RecordReader], plan: Plan) -> Iterator[Judged]:
    for record in records:
        question, group = question_of(record), plan.group_of(record)
        for reader in readers:
            verdict = reader.read(record.reply, question, language=record.language)
            yield Judged(row=RowKey(reader.name, record.source, group), record=record, verdict=verdict)
