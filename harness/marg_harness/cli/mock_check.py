"""`marg mock check`: what there is to say about a machine, and what of it a journal shows unused."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from marg_harness.cli import console
from marg_mock_model import Coverage, coverage_of, load_machine
from marg_mock_model.inspection import Remark, inspect_machine
from marg_mock_model.journal_file import count_journal
from marg_runtime import numbers

EXIT_FOUND = 1


@click.command(epilog="Exit codes: 0 no warning, 1 some, 2 a machine that does not load.")
@click.argument("machine", type=click.Path(dir_okay=False, path_type=Path), metavar="MACHINE")
@click.option(
    "--journal",
    "journals",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="A journal of `marg mock serve`: what it does not use is named. May be repeated.",
)
@console.json_option
@console.quiet_option
def check_command(machine: Path, journals: tuple[Path, ...], as_json: bool, quiet: bool) -> None:
    """Look for states that nothing reaches, transitions that are never taken, and results that nothing takes.

    With --quiet no note is printed.
    """
    loaded = load_machine(machine)
    remarks = inspect_machine(loaded)
    coverage = coverage_of(loaded)
    for journal in journals:
        count_journal(coverage, journal)
    if as_json:
        console.print_json(_document(machine, remarks, coverage if journals else None))
    else:
        _print(machine, remarks, coverage if journals else None, quiet=quiet)
    sys.exit(EXIT_FOUND if any(remark.severity == "warning" for remark in remarks) else 0)


def _document(machine: Path, remarks: tuple[Remark, ...], coverage: Coverage | None) -> dict[str, object]:
    found = [{"severity": one.severity, "line": one.line, "message": one.message} for one in remarks]
    return {"path": str(machine), "remarks": found, "coverage": None if coverage is None else coverage.record()}


def _print(machine: Path, remarks: tuple[Remark, ...], coverage: Coverage | None, *, quiet: bool) -> None:
    for one in remarks:
        if one.severity == "warning" or not quiet:
            style = "yellow" if one.severity == "warning" else ""
            console.print_line(f"{machine}:{one.line}: {one.severity}: {one.message}", style=style)
    if coverage is not None:
        for transition in coverage.unused_transitions():
            console.print_line(f"{machine}:{transition.line}: unused: a transition of {transition.state!r}")
        for slip in coverage.unused_slips():
            console.print_line(f"{machine}:{slip.line}: unused: the slip {slip.kind!r}")
    warnings = sum(one.severity == "warning" for one in remarks)
    console.note(
        f"{numbers.plural(warnings, 'warnings')}, {numbers.plural(len(remarks) - warnings, 'notes')}", quiet=quiet
    )
