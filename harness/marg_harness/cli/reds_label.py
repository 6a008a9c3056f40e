"""`marg reds label`: a person's word on a red, with a reason and a last day."""

from __future__ import annotations

import getpass
from datetime import date, timedelta
from pathlib import Path

import click

from marg_harness.cli.console import note, quiet_option
from marg_harness.cli.triage import LABELS
from marg_harness.triage_reports import DEFAULT_REPORT, red_of
from marg_reports.report import read_report
from marg_reports.report.labels import LABEL_DAYS, add_label, give_label
from marg_runtime.scrub import own_secrets, scrub

PATH = click.Path(path_type=Path)


@click.command()
@click.argument("red")
@click.argument("red_class", metavar="CLASS")
@click.option("--because", required=True, help="Why; it is shown wherever the red is.")
@click.option("--author", default=getpass.getuser, help="Who says so; by default you.")
@click.option("--days", type=click.IntRange(min=1), default=LABEL_DAYS, show_default=True, help="How long it stands.")
@click.option("--report", type=PATH, default=DEFAULT_REPORT, show_default=True, help="The triage report with the red.")
@click.option("--labels", type=PATH, default=LABELS, show_default=True, help="The file of all labels.")
@quiet_option
def label(
    red: str, red_class: str, because: str, author: str, days: int, report: Path, labels: Path, quiet: bool
) -> None:
    """Say that RED (its id, or an end of it that is nobody else's) is of CLASS.

    The label is void once the evidence says something else, and after its last day.
    """
    found = red_of(read_report(report), red)
    given = give_label(
        found,
        red_class=red_class,
        because=scrub(because, secrets=own_secrets()),
        author=author,
        expires=date.today() + timedelta(days=days),
    )
    add_label(labels, given)
    note(f"{found.place.id} is {red_class} until {given.expires}, says {author}", quiet=quiet)
