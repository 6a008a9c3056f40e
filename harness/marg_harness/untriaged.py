"""A run as a triage report before its triage: every check, and its reds without a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from shlex import quote
from types import MappingProxyType

from marg_harness.settings_flags import flags_of, only_model
from marg_reports import CheckRecord, Red, RunRecord, ScenarioRecord, TurnRecord, differences
from marg_reports.report import CheckLine, Place, TranscriptTurn, TriagedRed, TriageReport, triage_report
from marg_reports.triage import Verdict
from marg_runtime.canonical import Json, canonical_json

NOTHING: Mapping[str, Json] = MappingProxyType({})

UNTRIAGED = Verdict(
    red_class="unclassified",
    sub="more_runs",
    confidence="none",
    rule="R8",
    reason="more_runs",
    command="marg triage {run}",
)
"""What a red is before anybody has looked: its triage has not been run."""


def check_lines(runs: Sequence[RunRecord]) -> tuple[CheckLine, ...]:
    """Every check of the runs; those of repeated runs are one check with its attempts."""
    attempts: dict[Place, list[bool]] = {}
    invalid: set[Place] = set()
    for run in runs:
        for scenario in run.scenarios:
            for turn in scenario.turns:
                for check in turn.checks:
                    place = place_of(scenario, turn, check)
                    attempts.setdefault(place, []).append(check.passed)
                    if not check.measured:
                        invalid.add(place)
    return tuple(
        CheckLine(place=place, attempts=tuple(passed), valid=place not in invalid) for place, passed in attempts.items()
    )


def triaged(
    red: Red, verdict: Verdict, *, run: str, settings: Mapping[str, Json] = NOTHING, base: str = ""
) -> TriagedRed:
    """A red with a verdict, as the renderings draw it. run: the record's file, named in the command; settings: of that
    run, so that a replay that is asked for is the same one; base: the revision that the triage compared with."""
    replayed = " ".join(quote(part) for part in [red.scenario.path, *flags_of(settings)])
    command = verdict.command.format(run=quote(run), red=quote(red.id), path=replayed)
    if base and "--base REV" in command:
        # There is a base, and nothing could be run of it: the commit before it may do.
        command = command.replace("--base REV", f"--base {quote(base)}~1")
    elif base and "marg triage" in command and "--base" not in command:
        command += f" --base {quote(base)}"
    if "--live" in command and "model" in settings:
        command += "".join(f" {quote(part)}" for part in flags_of(only_model(settings)))
    return TriagedRed(
        place=place_of(red.scenario, red.turn_record, red.check),
        kind=red.check.kind,
        owner=red.check.owner,
        expected=canonical_json(red.check.expected),
        got=canonical_json(red.check.got),
        differences=differences(red.check.expected, red.check.got),
        transcript=tuple(
            TranscriptTurn(number=number, lines=turn.transcript)
            for number, turn in enumerate(red.scenario.turns[: red.turn + 1], start=1)
        ),
        verdict=replace(verdict, command=command),
    )


def place_of(scenario: ScenarioRecord, turn: TurnRecord, check: CheckRecord) -> Place:
    """Where a check stands."""
    return Place(
        path=scenario.path,
        scenario=scenario.title,
        turn=turn.id,
        check=check.id,
        line=check.line,
        file=check.file or "",
    )


def untriaged_report(runs: Sequence[RunRecord], *, run: str) -> TriageReport:
    """The report of runs that nobody has triaged; the reds are those of the last run."""
    reds = tuple(triaged(red, UNTRIAGED, run=run) for red in runs[-1].reds())
    return triage_report(version=runs[-1].version, head="", base="", checks=check_lines(runs), reds=reds)
