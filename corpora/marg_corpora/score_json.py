"""A score as plain JSON values: a list of rows, the record that `marg score --json` prints."""

from __future__ import annotations

from dataclasses import fields

from marg_corpora.cells import Count
from marg_corpora.plan import Group
from marg_corpora.score import Score, ScoreRow
from marg_corpora.tally import Tally
from marg_runtime.intervals import clopper_pearson, wilson

_SHARES = {"misread": "content", "missed_yes": "plain_yes", "missed_no": "plain_no", "flips": "yes_or_no"}


def score_rows(score: Score) -> list[dict[str, object]]:
    """Give each row as a flat object.

    Keys: `reader`, `source`, the group by its name where there is one; `replies`, `content`, `misread`, `plain_yes`,
    `missed_yes`, `plain_no`, `missed_no`, `yes_or_no`, `flips`, `no_vocabulary`, each unique and `_weighted`; for the
    four shares (misread of content, missed_yes of plain_yes, missed_no of plain_no, flips of yes_or_no) the 95 %
    Wilson interval `*_interval` as [low, high] of the unique count and, for a count of zero, `*_upper`, the upper end
    of the Clopper-Pearson interval (both null where there is nothing to take a share of); `conflicts_left_out`.
    """
    return [_flat(row, by=score.by) for row in score.rows]


def _flat(row: ScoreRow, *, by: Group) -> dict[str, object]:
    flat: dict[str, object] = {"reader": row.key.reader, "source": row.key.source}
    if by != "source":
        flat[by] = row.key.group
    for field in fields(Tally):
        count: Count = getattr(row.tally, field.name)
        flat |= {field.name: count.unique, f"{field.name}_weighted": count.weighted}
    for hits, of in _SHARES.items():
        flat |= _ends(hits, getattr(row.tally, hits).unique, getattr(row.tally, of).unique)
    return {**flat, "conflicts_left_out": row.conflicts}


def _ends(name: str, hits: int, of: int) -> dict[str, object]:
    if not of:
        return {f"{name}_interval": None, f"{name}_upper": None}
    ends = wilson(hits, of)
    upper = clopper_pearson(0, of).high if hits == 0 else None
    return {f"{name}_interval": [ends.low, ends.high], f"{name}_upper": upper}
