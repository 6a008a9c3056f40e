"""A report without secrets: all that people, models, tools and files put into it is scrubbed once, before it is drawn.

Every rendering, and the record that is kept, is a projection of this one report, so none needs to think of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from marg_reports.report.triaged import Place, TriagedRed, TriageReport, triage_report
from marg_runtime.scrub import scrub

Clean = Callable[[str], str]


def scrubbed(report: TriageReport, *, secrets: Collection[str] = ()) -> TriageReport:
    """The report with the secrets of its texts removed, from the names of places too, alike for checks and reds."""
    done: dict[str, str] = {}

    def clean(text: str) -> str:
        # Commands, paths and replies come again and again.
        if text not in done:
            done[text] = scrub(text, secrets=secrets)
        return done[text]

    return triage_report(
        version=report.version,
        head=report.head,
        base=report.base,
        checks=tuple(replace(check, place=_place(check.place, clean)) for check in report.checks),
        reds=tuple(_red(red, clean) for red in report.reds),
    )


def _place(place: Place, clean: Clean) -> Place:
    return replace(
        place,
        path=clean(place.path),
        scenario=clean(place.scenario),
        turn=clean(place.turn),
        check=clean(place.check),
        file=clean(place.file),
    )


def _red(red: TriagedRed, clean: Clean) -> TriagedRed:
    verdict, label = red.verdict, red.label
    return replace(
        red,
        place=_place(red.place, clean),
        kind=clean(red.kind),
        expected=clean(red.expected),
        got=clean(red.got),
        differences=tuple(map(clean, red.differences)),
        transcript=tuple(
            replace(turn, lines=tuple(replace(line, text=clean(line.text)) for line in turn.lines))
            for turn in red.transcript
        ),
        verdict=replace(
            verdict, command=clean(verdict.command), nearest=clean(verdict.nearest), note=clean(verdict.note)
        ),
        squares=tuple(
            replace(square, says=clean(square.says), command=clean(square.command)) for square in red.squares
        ),
        label=replace(label, because=clean(label.because), author=clean(label.author)) if label else None,
    )
