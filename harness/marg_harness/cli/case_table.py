"""The table of single replies that readers got wrong, and what people judged of them."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from marg_corpora import Score
from marg_corpora.cases import SIDES, Casebook
from marg_corpora.judgement import JUDGEMENTS
from marg_corpora.tally import DANGEROUS
from marg_harness.cli.console import cell
from marg_runtime import numbers


def case_table(casebook: Casebook) -> Table:
    """Draw the kept cases by reader and side, the dangerous sides first, and say how many were not kept."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("reader", "side", "id", "label", "read as", "kind", "question", "reply"):
        table.add_column(heading, overflow="fold")
    for case in sorted(casebook.cases, key=lambda case: (case.row.reader, SIDES.index(case.side))):
        record, style = case.record, "red" if case.side in DANGEROUS else ""
        table.add_row(
            cell(case.row.reader),
            cell(f"{case.side}, {case.judgement}" if case.judgement else case.side, style=style),
            *map(cell, (record.id, record.label, case.reading, record.question_kind)),
            cell(record.question or numbers.NOTHING),
            cell(record.reply),
        )
    if casebook.left_out():
        table.caption = f"{numbers.count(casebook.left_out())} more; --limit shows them"
    return table


def judged_remarks(score: Score) -> list[str]:
    """Say in a line for each row with a misread or flip how many of them people judged what."""
    remarks = []
    for row in score.rows:
        counts = [(word.replace("_", " "), score.casebook.judged[row.key, word]) for word in JUDGEMENTS]
        counts.append(("not judged", score.casebook.judged[row.key, None]))
        if any(number for _, number in counts):
            place = ", ".join(part for part in (row.key.reader, row.key.source, row.key.group) if part)
            judged = ", ".join(f"{numbers.count(number)} {word}" for word, number in counts)
            remarks.append(f"Misreads and flips of {place}: {judged}.")
    return remarks
