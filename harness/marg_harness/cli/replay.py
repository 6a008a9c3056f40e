"""`marg replay`: scenarios against the runtime, with no key and no network."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from marg_harness.cli.console import json_option, note, print_json, quiet_option
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.cli.replay_output import as_json, print_coverage, print_repetitions, print_run
from marg_harness.cli.replay_run import Ran, run_all
from marg_harness.cli.replay_target import check_target, exit_code, print_unmeasured, target_options
from marg_harness.cli.replay_tools import taken_tool, tool_options
from marg_harness.cli.replay_wire import check_wire, wire_options
from marg_harness.cli.scenario_paths import place_of
from marg_harness.coverage import coverage_of
from marg_harness.paths import shown_path
from marg_harness.processors import processors
from marg_harness.replay import load_all
from marg_harness.untriaged import untriaged_report
from marg_harness.whole_files import check_writable, write_whole
from marg_reports import RunRecord, scrubbed_run, write_record
from marg_reports.render import junit_xml
from marg_reports.repetition import repetition_report
from marg_reports.report import TriageReport, scrubbed
from marg_runtime.scrub import own_secrets

DEFAULT_RECORD = Path(".marg") / "run.jsonl"
FILE = click.Path(dir_okay=False, path_type=Path)


def _scrubbed_report(runs: Sequence[RunRecord], *, run: str) -> TriageReport:
    return scrubbed(untriaged_report(runs, run=run), secrets=own_secrets())


def _without_secrets(ran: Ran) -> Ran:
    """The runs as they may be shown and kept; until here, they are what was compared."""
    return replace(ran, runs=tuple(scrubbed_run(run, secrets=own_secrets()) for run in ran.runs))


def _jobs(context: click.Context, parameter: click.Parameter, value: str) -> int:
    """A number of processes; `auto` is as many as there are cores."""
    if value == "auto":
        return processors()
    if re.fullmatch("0*[1-9][0-9]{0,3}", value):
        return int(value)
    raise click.BadParameter(f"{value!r} is neither a number from 1 to 9999 nor `auto`")


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-n", "--jobs", default="1", callback=_jobs, show_default=True, help="Processes; `auto`: one a core.")
@click.option("--isolated", is_flag=True, help="Replay each scenario in a process of its own.")
@click.option("--repeat", type=click.IntRange(min=1), default=1, help="Runs of each, each with a seed of its own.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the model's slips.")
@click.option("--slips/--no-slips", default=True, help="Let the mock model slip, or not, whatever its machine says.")
@wire_options
@click.option("-t", "--tag", "tags", multiple=True, help="Only scenarios with this tag; may be given again.")
@click.option("-k", "--name", "names", multiple=True, help="Only scenarios whose name has this in it.")
@click.option("--last-failed", is_flag=True, help="Only those that were red in the last run's record.")
@click.option("--coverage", is_flag=True, help="Show what of the domain and its machine the scenarios use.")
@click.option("--output", type=FILE, default=DEFAULT_RECORD, show_default=True, help="Where the run's record goes.")
@click.option("--junit", type=FILE, default=None, help="Write a JUnit file too, a testcase a check.")
@target_options
@tool_options
@json_option
@quiet_option
def replay_command(paths: tuple[str, ...], **given: Any) -> None:
    """Replay scenarios: every file named *.scenario.yaml in each PATH, by default in the present folder.

    A PATH may also be the name of a shipped domain, such as support_intake. Writes are off, whatever the caller's
    environment says. Exit code 1 where any check failed, with --repeat in any of the runs; 3 where none did and some
    could not be measured on the target.
    """
    places = [place_of(path) for path in paths or (".",)]
    tool = taken_tool(given, places)
    options = ReplayOptions(**given)
    check_wire(options)
    check_target(options)
    check_writable(options.junit)
    scenarios = options.selection().chosen(load_all(places))
    if tool is not None:
        sys.exit(tool(scenarios, options))
    ran = _without_secrets(run_all(scenarios, options))
    told = ran.runs[ran.told]
    repetitions = repetition_report(ran.runs) if options.repeat > 1 else None
    coverage = coverage_of(scenarios, told) if options.coverage else None
    write_record(told, options.output)
    if options.junit is not None:
        write_whole({options.junit: junit_xml(_scrubbed_report(ran.told_last, run=shown_path(options.output)))})
    if options.as_json:
        print_json(as_json(ran, options, repetitions, coverage))
    else:
        print_run(told)
        print_unmeasured(told)
        if repetitions is not None:
            print_repetitions(repetitions)
            note(f"told of the runs: the one with --seed {options.seed + ran.told}", quiet=options.quiet)
        if coverage is not None:
            print_coverage(coverage)
        note(f"record: {shown_path(options.output)}", quiet=options.quiet)
    sys.exit(exit_code(ran.runs, partial=options.partial))
