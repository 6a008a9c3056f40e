"""`marg triage`: every red of a run classified by swapping one factor at a time."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any, get_args

import click

from marg_harness.cli.console import json_option, note, print_json, quiet_option, stdout
from marg_harness.cli.triage_files import FORMATS, TriageFiles, file_options
from marg_harness.evidence.gather import Bench
from marg_harness.evidence.git import commit_of, merge_base, repository_of
from marg_harness.evidence.run import CellRunSpec
from marg_harness.evidence.triage import triage
from marg_harness.paths import shown_path
from marg_harness.triage_reports import DEFAULT_REPORT
from marg_harness.whole_files import write_whole
from marg_reports.record_reading import read_damaged
from marg_reports.render.terminal import print_report
from marg_reports.report import Gate, TriagedRed, report_lines
from marg_reports.report.labels import read_labels, with_labels
from marg_runtime.errors import UsageError

DEFAULT_RUN = Path(".marg") / "run.jsonl"
CACHE = Path(".marg") / "evidence"
PATH = click.Path(path_type=Path)
LABELS = Path(".marg") / "labels.jsonl"


@click.command()
@click.argument("run", type=PATH, default=DEFAULT_RUN)
@click.option("--base", metavar="REV", help="Compare with where the head left this revision, such as origin/main.")
@click.option(
    "--gate",
    type=click.Choice(get_args(Gate)),
    default="regressions",
    show_default=True,
    help="What makes exit code 1.",
)
@click.option("--expect-change", "expected", multiple=True, metavar="RED", help="The change means this red.")
@click.option(
    "--cache", type=click.Path(path_type=Path), default=CACHE, show_default=True, help="Where cells are kept."
)
@click.option("--labels", type=PATH, default=LABELS, show_default=True, help="What people said.")
@file_options
@json_option
@quiet_option
def triage_command(run: Path, **given: Any) -> None:
    """Classify every red of the run whose record is RUN: regression, pre-existing, model flake, brittle check,
    transport, or unclassified with the one command that would decide.

    Exit codes with the gate `regressions`: 1 on any regression or unclassified red, 3 where transport is all there is
    (nothing was measured), else 0.
    """
    files = TriageFiles(**{name: given.pop(name) for name in FORMATS})
    files.check()
    damaged = read_damaged(run)
    if "target" in damaged.run.settings:
        target = damaged.run.settings["target"]
        raise UsageError(f"{shown_path(run)} is a run against {target!r}; triage replays the runtime: marg replay PATH")
    repository = repository_of(Path.cwd())
    bench = Bench(
        repository=repository,
        base=_base(repository, given["base"], quiet=given["quiet"]),
        run=damaged.run,
        missing=damaged.missing,
        cache=given["cache"].resolve(),
        expected=given["expected"],
        on_run=lambda spec: _told(spec, quiet=given["quiet"] or given["as_json"]),
    )
    _check_expected(bench)
    report = triage(bench, run=shown_path(run), head=commit_of(repository))
    report = with_labels(report, read_labels(given["labels"]), today=date.today())
    files.write(report)
    write_whole({_kept(): "".join(f"{line}\n" for line in report_lines(report))})
    if given["as_json"]:
        print_json({"counts": report.counts(), "reds": [_red_json(red) for red in report.reds]})
    else:
        print_report(report, stdout())
        for cell, reason in sorted(bench.reasons.items()):
            note(f"no {cell}: {reason}", quiet=given["quiet"])
    sys.exit(report.exit_code(gate=given["gate"]))


def _base(repository: Path, revision: str | None, *, quiet: bool) -> str | None:
    """The merge base; None, with a note, where there is none to be had: what needs it stays unclassified.

    Raises UsageError for a revision that there is not.
    """
    if revision is None:
        return None
    commit_of(repository, revision)
    try:
        return merge_base(repository, revision)
    except UsageError as error:
        note(f"no base: {error}", quiet=quiet)
        return None


def _kept() -> Path:
    """Where the report is kept for `marg explain` and `marg reds`, whatever else was asked for."""
    DEFAULT_REPORT.parent.mkdir(parents=True, exist_ok=True)
    return DEFAULT_REPORT


def _check_expected(bench: Bench) -> None:
    """Raise UsageError for the first expected change that names no red: a typo would change nothing, in silence."""
    ids = {red.id for red in bench.reds}
    for given in bench.expected:
        if given not in ids:
            raise UsageError(
                f"--expect-change {given!r} is no red of the run; there are {'; '.join(sorted(ids)) or 'none'}"
            )


def _told(spec: CellRunSpec, *, quiet: bool) -> None:
    note(f"at {spec.workspace.commit[:12]}: {spec.command}", quiet=quiet)


def _red_json(red: TriagedRed) -> dict[str, Any]:
    verdict = red.verdict
    return {
        "id": red.place.id,
        "class": red.red_class,
        "sub": verdict.sub,
        "confidence": verdict.confidence,
        "rule": verdict.rule,
        "statistics": verdict.statistics,
        "command": verdict.command,
        "also": list(verdict.also),
        "nearest": verdict.nearest,
        "labelled": red.label is not None,
        "cells": {square.cell: square.says for square in red.squares},
    }
