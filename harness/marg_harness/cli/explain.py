"""`marg explain`: one red, its rules, its evidence, and what would decide or change it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from marg_harness.cli.console import cell, json_option, print_json, print_line, stdout
from marg_harness.triage_reports import DEFAULT_REPORT, red_of
from marg_reports.render import headline
from marg_reports.report import TriagedRed, read_report, scrubbed
from marg_runtime.scrub import own_secrets

MOST_EVIDENCE = 5
_ORDER = ("clean_wire", "base_runtime", "base_check", "base_pair", "varied")


@click.command()
@click.argument("red")
@click.option("--report", type=click.Path(path_type=Path), default=DEFAULT_REPORT, show_default=True)
@json_option
def explain(red: str, report: Path, as_json: bool) -> None:
    """Explain RED: its id in a triage report, or a part of it that is nobody else's."""
    # Who wrote the report is not known here.
    found = red_of(scrubbed(read_report(report), secrets=own_secrets()), red)
    if as_json:
        print_json(_as_json(found))
        return
    print_line(headline(found))
    print_line(f"{found.place.id} ({found.place.where})")
    for difference in found.differences:
        print_line(f"  {difference}")
    _print_trace(found)
    for square in _evidence(found):
        print_line(f"{square.cell}: {square.says}" + (f"  at {square.commit}" if square.commit else ""))
        if square.command:
            print_line(f"  {square.command}")
    if found.verdict.note:
        print_line(f"note: {found.verdict.note}")
    if found.verdict.nearest:
        print_line(found.verdict.nearest)
    if found.verdict.command:
        print_line(f"decide it: {found.verdict.command}")


def _print_trace(red: TriagedRed) -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("rule", "would be", "why"):
        table.add_column(title)
    for tried in red.verdict.trace:
        why = "holds" if tried.met else "; ".join(tried.contradicted_by) or f"not known: {', '.join(tried.missing)}"
        table.add_row(cell(tried.rule), cell(tried.would_be), cell(why))
    stdout().print(table)


def _evidence(red: TriagedRed) -> list[Any]:
    """At most five squares: those that most rules look at first."""
    rank = {name: place for place, name in enumerate(_ORDER)}
    return sorted(red.squares, key=lambda square: (rank.get(square.cell, len(rank)), square.cell))[:MOST_EVIDENCE]


def _as_json(red: TriagedRed) -> dict[str, Any]:
    return {
        "id": red.place.id,
        "verdict": red.verdict.name,
        "confidence": red.verdict.confidence,
        "rule": red.verdict.rule,
        "differences": list(red.differences),
        "evidence": [
            {"cell": square.cell, "says": square.says, "commit": square.commit, "command": square.command}
            for square in red.squares
        ],
        "trace": [
            {
                "rule": tried.rule,
                "would_be": tried.would_be,
                "met": tried.met,
                "missing": list(tried.missing),
                "contradicted_by": list(tried.contradicted_by),
            }
            for tried in red.verdict.trace
        ],
        "nearest": red.verdict.nearest,
        "note": red.verdict.note,
        "command": red.verdict.command,
    }
