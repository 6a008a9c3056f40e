"""The report for a terminal: counts, then each red with what would decide it. Text of others is never markup."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from marg_reports.render.body import headline, message
from marg_reports.render.plain_text import visible
from marg_reports.report import TriagedRed, TriageReport
from marg_reports.triage.words import RedClass
from marg_runtime.numbers import count, of, plural

_STYLES: dict[RedClass, str] = {
    "regression": "bold red",
    "unclassified": "yellow",
    "pre_existing": "magenta",
    "brittle_check": "blue",
    "model_flake": "cyan",
    "transport": "dim",
}

MOST_LISTED = 200
"""Reds that are listed; the rest are counted, and stand in the files."""


def print_report(report: TriageReport, console: Console) -> None:
    """Print the report to a console."""
    console.print(Group(*_parts(report)))


def _parts(report: TriageReport) -> Iterator[RenderableType]:
    yield _counts(report)
    for red in report.reds[:MOST_LISTED]:
        yield from _red(red)
    if len(report.reds) > MOST_LISTED:
        yield Text(f"{plural(len(report.reds) - MOST_LISTED, 'reds')} more stand in the files.")
    passed = len(report.checks) - len(report.reds) - report.invalid
    yield Text(f"\n{of(passed, len(report.checks))} checks passed, {count(report.invalid)} not measured.")


def _counts(report: TriageReport) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("class")
    table.add_column("reds", justify="right")
    for name, number in report.counts().items():
        table.add_row(Text(name.replace("_", " "), style=_STYLES[name] if number else ""), Text(count(number)))
    return table


def _red(red: TriagedRed) -> Iterator[RenderableType]:
    place = red.place
    yield Text(f"\n{headline(red)}", style=_STYLES[red.red_class])
    yield Text(f"  {visible(place.id)}")
    yield Text(f"  {visible(place.where)}  {message(red)}")
    if red.squares:
        yield Text("  " + "  ".join(f"{square.cell} {visible(square.says)}" for square in red.squares))
    if red.verdict.note:
        yield Text(f"  note: {visible(red.verdict.note)}")
    if red.verdict.command:
        yield Text(f"  decide it: {visible(red.verdict.command)}")
