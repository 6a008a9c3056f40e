"""Reds of other runners as a triage report, which every rendering draws like one of our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from shlex import quote

from marg_reports.foreign.case import ForeignCase
from marg_reports.foreign.foreign_evidence import foreign_evidence, measured
from marg_reports.foreign.open_question import open_question
from marg_reports.foreign.runs import ForeignRuns, RunKind
from marg_reports.render.plain_text import shortened
from marg_reports.report import CheckLine, Place, Square, TriagedRed, TriageReport, triage_report
from marg_reports.triage import CellName, Evidence, Verdict, classify
from marg_runtime.canonical import canonical_json
from marg_runtime.numbers import of, plural

LONGEST_TEXT = 16_000
"""Characters of a failure's text that are kept: its start, which says most."""

_SQUARES: tuple[tuple[CellName, RunKind], ...] = (
    ("varied", "rerun"),
    ("base_runtime", "base_code"),
    ("base_pair", "base"),
    ("base_check", "base_checks"),
    ("alone", "alone"),
    ("fresh_runtime", "fresh"),
)


def foreign_report(runs: ForeignRuns, *, version: str, run: str, expected: Sequence[str] = ()) -> TriageReport:
    """The report of a run of another runner. version: Marg's. run: the report's file, named in commands.

    Skipped cases are no checks of the run.
    """
    checks = tuple(
        CheckLine(place=_place(name, case), attempts=(*[False] * case.failed_before, not case.is_red))
        for name, case in runs.head.items()
        if case.status != "skipped"
    )
    reds = tuple(_triaged(evidence, runs, run) for evidence in foreign_evidence(runs, expected=expected))
    return triage_report(version=version, head="", base="", checks=checks, reds=reds)


def _triaged(evidence: Evidence, runs: ForeignRuns, run: str) -> TriagedRed:
    name = evidence.red.id
    case = runs.head[name]
    text = shortened(case.text.strip(), LONGEST_TEXT)
    said = (line.strip() for line in f"{case.message}\n{text}".splitlines())
    first = next((line for line in said if line), "").removeprefix(f"{case.kind}: ")  # the kind stands before it
    return TriagedRed(
        place=_place(name, case),
        kind=case.kind or case.status,
        owner="runtime",
        expected=canonical_json("passed"),
        got=canonical_json(text or case.status),
        differences=(first,) if first else (),
        transcript=(),
        verdict=_verdict(evidence, runs, run),
        squares=tuple(_squares(evidence, runs)),
    )


def _place(name: str, case: ForeignCase) -> Place:
    # The id is the runner's own: a file that only a failure's stack names is no part of it.
    check = name.removeprefix(f"{case.suite}::") if case.suite else name
    return Place(path="", scenario=case.suite, turn="", check=check, line=case.line, file=case.path)


def _verdict(evidence: Evidence, runs: ForeignRuns, run: str) -> Verdict:
    verdict = classify(evidence)
    name = evidence.red.id
    if verdict.red_class != "unclassified":
        # Runs that another runner made may differ for any reason, so what they prove they prove by their number.
        return replace(verdict, confidence="statistical", statistics=_rates(name, runs))
    if verdict.reason == "intended_change":
        return replace(verdict, command=verdict.command.format(red=quote(name)))
    question = open_question(name, runs, run=run)
    return replace(verdict, sub=question.reason, reason=question.reason, command=question.command)


def _rates(name: str, runs: ForeignRuns) -> str:
    """How often it failed on this commit and with the base's code, and what is not measured but stated."""
    head, base = (measured(runs, kind, name) for kind in ("rerun", "base_code"))
    failed = [of(sum(run.outcome == "fail" for run in found), len(found)) for found in (head, base)]
    return f"head {failed[0]}, base's code {failed[1]}; stated: {_stated(runs)}"


def _stated(runs: ForeignRuns) -> str:
    said = ["no network"] if runs.hermetic else []
    said += ["the same tests on both sides"] if runs.same_checks else []
    return " and ".join(said) or "nothing"


def _squares(evidence: Evidence, runs: ForeignRuns) -> list[Square]:
    name = evidence.red.id
    squares = [Square(cell="bundle", says=f"stated: {_stated(runs)}")]
    for cell, kind in _SQUARES:
        found = measured(runs, kind, name)
        if runs.of(kind):
            words = dict.fromkeys(_word(run.outcome, run.signature, evidence) for run in found)
            says = f"{' and '.join(words) or 'skipped'} in {plural(len(found), 'runs')}"
            too_few = len(found) < runs.needed
            squares.append(Square(cell=cell, says=f"{says}, {runs.needed} are needed" if too_few else says))
    return squares


def _word(outcome: str, signature: str, evidence: Evidence) -> str:
    if outcome != "fail":
        return outcome
    return "same" if signature == evidence.red.signature else "other"
