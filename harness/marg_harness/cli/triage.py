"""`marg triage`: every red of a run classified by swapping one factor at a time."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, get_args

import click

from marg_harness.base import base_of, with_fetch
from marg_harness.cli.console import json_option, note, print_json, quiet_option, stdout
from marg_harness.cli.triage_files import FORMATS, TriageFiles, file_options
from marg_harness.cli.triage_foreign import foreign_options, refuse_foreign, triage_foreign
from marg_harness.cli.triage_live import live_options, model_of
from marg_harness.edited_checks import edited_since, with_notes
from marg_harness.evidence.gather import Bench
from marg_harness.evidence.git import commit_of, repository_of
from marg_harness.evidence.run import CellRunSpec
from marg_harness.evidence.triage import triage
from marg_harness.expected_changes import expected_of, said_in_commits
from marg_harness.foreign_files import is_foreign
from marg_harness.kept_folder import kept_folder
from marg_harness.paths import shown_path
from marg_harness.triage_reports import DEFAULT_REPORT
from marg_harness.whole_files import write_whole
from marg_reports import scrubbed_run
from marg_reports.record_reading import read_damaged
from marg_reports.render.terminal import print_report
from marg_reports.report import Gate, TriagedRed, TriageReport, report_lines, scrubbed
from marg_reports.report.labels import read_labels, with_labels
from marg_runtime.errors import UsageError
from marg_runtime.scrub import own_secrets, scrub

DEFAULT_RUN = Path(".marg") / "run.jsonl"
CACHE = Path(".marg") / "evidence"
PATH = click.Path(path_type=Path)
LABELS = Path(".marg") / "labels.jsonl"


@click.command()
@click.argument("run", type=PATH, default=DEFAULT_RUN)
@click.option(
    "--base",
    multiple=True,
    metavar="REV",
    help="Compare with where the head left this revision, such as origin/main; another runner's: a report of the base.",
)
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
@live_options
@foreign_options
@file_options
@json_option
@quiet_option
def triage_command(run: Path, **given: Any) -> None:
    """Classify every red of the run whose record is RUN: regression, pre-existing, model flake, brittle check,
    transport, or unclassified with the one command that would decide.

    RUN may be another runner's report, too (JUnit XML, CTRF, pytest's report log, or a folder of them), with others of
    the same tests.

    Exit codes with the gate `regressions`: 1 on any regression or unclassified red, 3 where transport is all there is
    (nothing was measured), else 0.
    """
    files = TriageFiles(**{name: given.pop(name) for name in FORMATS})
    files.check()
    report = triage_foreign(run, given) if is_foreign(run) else _own_report(run, given)
    secrets = own_secrets()
    # Before the labels: what is labelled is a red of the report as it is kept, and a reason may hold a secret too.
    report = scrubbed(report, secrets=secrets)
    labels = [replace(label, because=scrub(label.because, secrets=secrets)) for label in read_labels(given["labels"])]
    report = with_labels(report, labels, today=date.today())
    files.write(report)
    kept_folder()
    write_whole({DEFAULT_REPORT: "".join(f"{line}\n" for line in report_lines(report))})
    if given["as_json"]:
        print_json({"counts": report.counts(), "reds": [_red_json(red) for red in report.reds]})
    else:
        print_report(report, stdout())
    sys.exit(report.exit_code(gate=given["gate"]))


def _own_report(run: Path, given: Mapping[str, Any]) -> TriageReport:
    """The report of a run of ours, whose cells are replayed."""
    refuse_foreign(given, run=run)
    quiet = given["quiet"]
    damaged = read_damaged(run)
    # An older Marg may have written it: what is compared with the cells has the same removed as they have.
    head = scrubbed_run(damaged.run, secrets=own_secrets())
    if "target" in head.settings:
        target = head.settings["target"]
        raise UsageError(f"{shown_path(run)} is a run against {target!r}; triage replays the runtime: marg replay PATH")
    repository = repository_of(Path.cwd())
    kept_folder()  # before a file of the head is looked at
    base = base_of(repository, given["base"], run=shown_path(run))
    meant = expected_of(
        given["expected"],
        said_in_commits(repository, base=base.commit),
        reds=[red.id for red in head.reds()],
    )
    bench = Bench(
        repository=repository,
        base=base.commit,
        run=head,
        missing=damaged.missing,
        cache=given["cache"].resolve(),
        expected=meant.ids,
        live_model=model_of(given),
        on_run=lambda spec: _told(spec, quiet=quiet or given["as_json"]),
    )
    report = triage(bench, run=shown_path(run), head=commit_of(repository), live=given["live"])
    no_base = [f"no base: {base.reason}"] if base.reason else []
    for text in (*no_base, *meant.notes, *(f"no {cell}: {reason}" for cell, reason in sorted(bench.reasons.items()))):
        note(text, quiet=quiet or given["as_json"])
    if base.commit is None:
        return with_fetch(report, base)
    return with_notes(report, edited_since(repository, base.commit), root=Path.cwd())


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
        "note": verdict.note,
        "labelled": red.label is not None,
        "cells": {square.cell: square.says for square in red.squares},
    }
