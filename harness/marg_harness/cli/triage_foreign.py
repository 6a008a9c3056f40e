"""The triage of another runner's report: what `marg triage junit.xml` reads, and the report that it makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import click

from marg_harness.expected_changes import expected_of
from marg_harness.foreign_files import check_apart, check_same, placed, read_foreign
from marg_harness.paths import shown_path
from marg_reports.foreign import ForeignRuns, RunKind, foreign_report
from marg_reports.report import TriageReport
from marg_runtime.errors import UsageError

_HELP: Final[Mapping[RunKind, str]] = {
    "rerun": "A report of this commit, run again.",
    "base_code": "A report of these tests on the base's code.",
    "base_checks": "A report of the base's tests on this code.",
    "alone": "A report of the red tests, each by itself.",
    "fresh": "A report of all tests, each in a process of its own.",
}
FLAGS: Final = ("hermetic", "same_checks")


def foreign_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that only another runner's report takes."""
    decorators = [
        click.option(f"--{kind.replace('_', '-')}", kind, multiple=True, metavar="FILE", help=text)
        for kind, text in _HELP.items()
    ]
    decorators += [
        click.option("--hermetic", is_flag=True, help="State that no run of these reports could reach a network."),
        click.option("--same-checks", is_flag=True, help="State that the tests are the same on both sides."),
    ]
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def refuse_foreign(given: Mapping[str, Any], *, run: Path) -> None:
    """Raise UsageError for what only another runner's report takes: a run of ours is replayed for its evidence."""
    for name in (*_HELP, *FLAGS):
        if given[name]:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{option} is for reports of other runners, and {shown_path(run)!r} is none (JUnit XML, CTRF, report "
                "log); a run of Marg's is replayed for its evidence: marg triage RUN --base REV"
            )


def triage_foreign(run: Path, given: Mapping[str, Any]) -> TriageReport:
    """The report of another runner's run. given: the command's options by name.

    Raises UsageError for a file that is no report, is given twice, or is of other tests, and for an expected change
    that is no red.
    """
    head = read_foreign(run)
    paths: dict[RunKind, Sequence[str]] = {kind: given[kind] for kind in _HELP}
    paths["base"] = given["base"]
    for path in paths["base"]:
        if not Path(path).exists():
            raise UsageError(
                f"--base {path!r} is no file; {shown_path(run)!r} is another runner's report, which is compared with "
                "reports of the base: run the tests at the merge base and name what they wrote"
            )
    others = {kind: [read_foreign(Path(path)) for path in found] for kind, found in paths.items()}
    check_apart(head, others)
    if given["same_checks"]:
        check_same(head, others["base"])
    runs = ForeignRuns(
        head=placed(head.run, root=Path.cwd()),
        others={kind: [file.run for file in files] for kind, files in others.items()},
        names={kind: [file.name for file in files] for kind, files in others.items()},
        hermetic=given["hermetic"],
        same_checks=given["same_checks"],
    )
    meant = expected_of(given["expected"], (), reds=[name for name, case in runs.head.items() if case.is_red])
    return foreign_report(runs, version=version("marg"), run=head.name, expected=meant.ids)
