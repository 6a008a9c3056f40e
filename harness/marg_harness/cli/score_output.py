"""The rows that `marg score --json` prints, with what else was asked for."""

from __future__ import annotations

from collections.abc import Mapping

from marg_corpora import Score, score_rows
from marg_corpora.cases import Case, Casebook
from marg_corpora.cells import RowKey
from marg_corpora.judgement import JUDGEMENTS

CASE_KEYS = ("id", "question_kind", "question", "reply", "label", "n")


def json_rows(score: Score, *, judged: bool, rates: Mapping[str, float | None]) -> list[dict[str, object]]:
    """Give the rows of the score; each with `replies_per_second` of its reader where the readers were timed,
    `judged` (misreads and flips by judgement) where judgements were given, and `cases` where some were asked for.
    """
    rows, casebook = score_rows(score), score.casebook
    for row, scored in zip(rows, score.rows, strict=True):
        if rates:
            row["replies_per_second"] = rates[scored.key.reader]
        if judged:
            row["judged"] = _judged(casebook, scored.key)
        if casebook.plan.sides:
            row["cases"] = [_flat(case) for case in casebook.cases if case.row == scored.key]
    return rows


def _judged(casebook: Casebook, key: RowKey) -> dict[str, int]:
    counts: dict[str, int] = {judgement: casebook.judged[key, judgement] for judgement in JUDGEMENTS}
    return {**counts, "not_judged": casebook.judged[key, None]}


def _flat(case: Case) -> dict[str, object]:
    kept = {key: getattr(case.record, key) for key in CASE_KEYS}
    return {"side": case.side, "reading": case.reading, "judgement": case.judgement, **kept}
