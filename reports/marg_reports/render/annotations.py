"""GitHub's workflow commands: a red at its line in the changed files, at most ten of a kind, then how many more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from marg_reports.render.body import headline, message
from marg_reports.render.plain_text import visible
from marg_reports.report import TriagedRed, TriageReport
from marg_runtime.numbers import plural

MOST_OF_A_KIND = 10
"""GitHub shows no more annotations of one level for a step."""

Level = Literal["error", "warning", "notice"]
_LEVELS: dict[str, Level] = {
    "regression": "error",
    "unclassified": "error",
    "pre_existing": "warning",
    "brittle_check": "warning",
}


def github_annotations(report: TriageReport) -> str:
    """The commands, one a line; print them to the step's output."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: TriageReport) -> Iterator[str]:
    for level in ("error", "warning", "notice"):
        reds = [red for red in report.reds if _LEVELS.get(red.red_class, "notice") == level]
        fit = len(reds) <= MOST_OF_A_KIND
        for red in reds[: MOST_OF_A_KIND if fit else MOST_OF_A_KIND - 1]:
            yield _command(level, red)
        if not fit:
            yield f"::{level} title=marg::{plural(len(reds) - MOST_OF_A_KIND + 1, 'reds')} more"


def _command(level: str, red: TriagedRed) -> str:
    place = red.place
    where = f"file={_property(place.source)},line={max(1, place.line)}," if place.source else ""
    return f"::{level} {where}title={_property(red.name)}::{_data(f'{headline(red)}: {message(red)}')}"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
