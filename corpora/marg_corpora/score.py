"""The score: rows of tallies, and what the figures leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from marg_corpora.cases import Casebook
from marg_corpora.cells import Cells, RowKey
from marg_corpora.partial import Partial, collect
from marg_corpora.plan import Group, Plan
from marg_corpora.record import Record
from marg_corpora.record_reader import RecordReader
from marg_corpora.tally import Tally, tally_rows


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
    casebook: Casebook = field(default_factory=Casebook)


def score(
    records: Iterable[Record],
    *,
    readers: Sequence[RecordReader],
    by: Group = "source",
    with_conflicts: bool = False,
    plan: Plan | None = None,
) -> Score:
    """Read every record with every reader and tally the readings, at constant memory.

    `by` and `with_conflicts` are the common parts of a plan; a whole `plan` takes the place of both.

    Raises GroupError for another `by`; what the readers and the records themselves raise goes through.
    """
    plan = plan or Plan(by=by, with_conflicts=with_conflicts)
    return score_of(collect(records, readers=readers, plan=plan), readers=[one.name for one in readers], plan=plan)


def score_of(partial: Partial, *, readers: Sequence[str], plan: Plan) -> Score:
    """Give the score of what was counted; `readers` are the names in the order of the rows."""
    order = {name: place for place, name in enumerate(readers)}
    tallies, left_out = tally_rows(partial.cells), partial.left_out
    empty = (RowKey(name, *place) for place in left_out for name in readers)
    keys = sorted({*tallies, *empty}, key=lambda key: (key.source, key.group, order[key.reader]))
    return Score(
        by=plan.by,
        rows=tuple(
            ScoreRow(key=key, tally=tallies.get(key, Tally()), conflicts=left_out[key.source, key.group])
            for key in keys
        ),
        unknown_languages=_unknown_languages(partial.cells),
        conflicts=left_out.total(),
        casebook=partial.casebook,
    )


def _unknown_languages(cells: Cells) -> tuple[UnknownLanguage, ...]:
    replies: Counter[tuple[str, str]] = Counter()
    for cell, count in cells.counts.items():
        if cell.unknown_language:
            replies[cell.row.reader, cell.unknown_language] += count.unique
    return tuple(
        UnknownLanguage(reader=reader, language=language, replies=replies[reader, language])
        for reader, language in sorted(replies)
    )
