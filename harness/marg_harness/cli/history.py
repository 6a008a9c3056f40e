"""`marg history`: which checks were red over the runs of a folder, since when, and how often they flipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from marg_harness.cli.console import cell, json_option, print_json, stdout
from marg_harness.whole_files import check_writable, write_whole
from marg_reports.history import History, history_of, history_page, write_parquet
from marg_reports.history.table import runs_in
from marg_reports.report import scrubbed
from marg_runtime.scrub import own_secrets

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--html", type=FILE, default=None, help="Write one self-contained page with charts.")
@click.option("--parquet", type=FILE, default=None, help="Write every check of every run as a Parquet table.")
@json_option
def history(folder: Path, html: Path | None, parquet: Path | None, as_json: bool) -> None:
    """Show the history of the triage reports (*.jsonl) in FOLDER; runs are in the order of their file names.

    History is shown, and never evidence for a class.
    """
    check_writable(html, parquet)
    # Who wrote the reports is not known here.
    runs = [replace(one, report=scrubbed(one.report, secrets=own_secrets())) for one in runs_in(folder)]
    found = history_of(runs)
    if html is not None:
        write_whole({html: history_page(found)})
    if parquet is not None:
        write_parquet(runs, parquet)
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found)


def _print(found: History) -> None:
    table = Table(box=None, pad_edge=False)
    for title in ("check", "now", "first red", "last green"):
        table.add_column(title)
    table.add_column("flips", justify="right")
    for check in found.checks:
        row = (check.id, check.now or "absent", check.first_red, check.last_green or "never", str(check.flips))
        table.add_row(*(cell(text) for text in row))
    stdout().print(table)


def _as_json(found: History) -> dict[str, Any]:
    return {
        "runs": list(found.runs),
        "counts": [dict(counts) for counts in found.counts],
        "checks": [
            {
                "id": check.id,
                "states": list(check.states),
                "first_red": check.first_red,
                "last_green": check.last_green,
                "flips": check.flips,
            }
            for check in found.checks
        ],
    }
