"""The scorer: records through readers, one pass, into rows of tallies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

from marg_corpora.cases import Casebook
from marg_corpora.cells import Cells, Judged, RowKey, count_cells
from marg_corpora.errors import GroupError
from marg_corpora.record import Record
from marg_corpora.record_reader import RecordReader, question_of
from marg_corpora.tally import Tally, tally_rows

Group = Literal["question_kind", "source", "language", "label"]
GROUPS: tuple[str, ...] = get_args(Group)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """One reader on one group of one source. `conflicts`: records of the group left out as contradictory."""

    key: RowKey
    tally: Tally
    conflicts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownLanguage:
    """A language that a reader has no vocabulary for, and how many records were read as content for that reason."""

    reader: str
    language: str
    replies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The result of scoring: rows in order of source, group and reader (as given), and what was not really read."""

    by: Group
    rows: tuple[ScoreRow, ...]
    unknown_languages: tuple[UnknownLanguage, ...]
    conflicts: int


def score(
    records: Iterable[Record],
    *,
    readers: Sequence[RecordReader],
    by: Group = "source",
    with_conflicts: bool = False,
    casebook: Casebook | None = None,
) -> Score:
    """Read every record with every reader and tally the readings, at constant memory.

    A row is a reader and a source, split further by `by` unless that is the source. Records marked as conflicting
    (the source labels the same reply both ways) are left out and counted, unless `with_conflicts`. A `casebook` sees
    every reading and keeps the cases that it is made for.

    Raises GroupError for another `by`; what the readers and the records themselves raise goes through.
    """
    if by not in GROUPS:
        raise GroupError(f"rows cannot be split by {by!r}; choose one of {', '.join(GROUPS)}")
    left_out: Counter[tuple[str, str]] = Counter()
    kept = records if with_conflicts else _without_conflicts(records, by=by, left_out=left_out)
    judged = _judge(kept, readers=readers, by=by)
    cells = count_cells(judged if casebook is None else casebook.watch(judged))
    order = {reader.name: place for place, reader in enumerate(readers)}
    tallies = tally_rows(cells)
    empty = (RowKey(reader.name, *place) for place in left_out for reader in readers)
    keys = sorted({*tallies, *empty}, key=lambda key: (key.source, key.group, order[key.reader]))
    return Score(
        by=by,
        rows=tuple(
            ScoreRow(key=key, tally=tallies.get(key, Tally()), conflicts=left_out[key.source, key.group])
            for key in keys
        ),
        unknown_languages=_unknown_languages(cells),
        conflicts=left_out.total(),
    )


def group_of(record: Record, *, by: Group) -> str:
    """Give the value of the group that a record counts in; "" where rows are split by source alone."""
    return "" if by == "source" else cast(str, getattr(record, by))


def _without_conflicts(records: Iterable[Record], *, by: Group, left_out: Counter[tuple[str, str]]) -> Iterator[Record]:
    for record in records:
        if record.conflict:
            left_out[record.source, group_of(record, by=by)] += 1
        else:
            yield record


def _judge(records: Iterable[Record], *, readers: Sequence[RecordReader], by: Group) -> Iterator[Judged]:
    for record in records:
        question, group = question_of(record), group_of(record, by=by)
        for reader in readers:
            verdict = reader.read(record.reply, question, language=record.language)
            yield Judged(row=RowKey(reader.name, record.source, group), record=record, verdict=verdict)


def _unknown_languages(cells: Cells) -> tuple[UnknownLanguage, ...]:
    replies: Counter[tuple[str, str]] = Counter()
    for cell, count in cells.counts.items():
        if cell.unknown_language:
            replies[cell.row.reader, cell.unknown_language] += count.unique
    return tuple(
        UnknownLanguage(reader=reader, language=language, replies=replies[reader, language])
        for reader, language in sorted(replies)
    )
