"""A report without secrets: what was said, expected and seen is scrubbed once, before any rendering draws it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from marg_reports.report.scrub import scrub
from marg_reports.report.triaged import TriagedRed, TriageReport


def scrubbed(report: TriageReport, *, secrets: Collection[str] = ()) -> TriageReport:
    """The report with the secrets of its texts removed. Ids stay: they join a red across runs."""
    return replace(report, reds=tuple(_scrubbed(red, secrets) for red in report.reds))


def _scrubbed(red: TriagedRed, secrets: Collection[str]) -> TriagedRed:
    def clean(text: str) -> str:
        return scrub(text, secrets=secrets)

    return replace(
        red,
        expected=clean(red.expected),
        got=clean(red.got),
        differences=tuple(clean(difference) for difference in red.differences),
        transcript=tuple(
            replace(turn, lines=tuple(replace(line, text=clean(line.text)) for line in turn.lines))
            for turn in red.transcript
        ),
        label=replace(red.label, because=clean(red.label.because)) if red.label else None,
    )
