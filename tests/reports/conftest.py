"""Triage reports to draw: one red a class, hostile content, and as many reds as are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from marg_reports import Line
from marg_reports.report import (
    CLASSES,
    CheckLine,
    Place,
    Square,
    TranscriptTurn,
    TriagedRed,
    TriageReport,
    triage_report,
)
from marg_reports.triage import RedClass, Verdict

SUBS: dict[RedClass, str] = {
    "regression": "behaviour",
    "unclassified": "no_base",
    "pre_existing": "defect",
    "brittle_check": "whitespace",
    "model_flake": "wording",
    "transport": "truncated",
}

MakeRed = Callable[..., TriagedRed]


def make_red(number: int = 1, red_class: RedClass = "regression", *, text: str = "Shall I create this?") -> TriagedRed:
    """A red with a number of its own; `text` stands wherever a report shows what somebody wrote."""
    unclassified = red_class == "unclassified"
    return TriagedRed(
        place=Place(path=f"scenarios/{number:05}.yaml", scenario=f"{text}[{number}]", turn="t2", check="draft", line=7),
        kind="draft",
        owner="model" if red_class == "model_flake" else "runtime",
        expected=f'{{"title": "{text}"}}',
        got="{}",
        differences=(f'title: expected "{text}", got (nothing)',),
        transcript=(TranscriptTurn(number=1, lines=(Line(by="user", text=text), Line(by="model", text="Noted."))),),
        verdict=Verdict(
            red_class=red_class,
            sub=SUBS[red_class],
            confidence="none" if unclassified else "proven",
            rule="R8" if unclassified else "R4",
            command="marg triage run.jsonl --base REV" if unclassified else "",
        ),
        squares=(Square(cell="clean_wire", says="same", commit="abc123"), Square(cell="base_runtime", says="pass")),
    )


def make_report(reds: Iterable[TriagedRed], *, passed: int = 0) -> TriageReport:
    """A report of these reds and so many checks that passed."""
    reds = tuple(reds)
    good = tuple(
        CheckLine(place=Place(path="good.yaml", scenario="good", turn=f"t{n}", check="block", line=n), attempts=(True,))
        for n in range(1, passed + 1)
    )
    failed = tuple(CheckLine(place=red.place, attempts=(False,)) for red in reds)
    return triage_report(version="0.1.0", head="abc123", base="def456", checks=(*good, *failed), reds=reds)


@pytest.fixture(scope="session")
def red() -> MakeRed:
    """What makes a red."""
    return make_red


@pytest.fixture(scope="session")
def report() -> Callable[..., TriageReport]:
    """What makes a report."""
    return make_report


@pytest.fixture(scope="session")
def every_class() -> TriageReport:
    """One red of each class, and three checks that passed."""
    return make_report((make_red(number, name) for number, name in enumerate(CLASSES, start=1)), passed=3)


@pytest.fixture(scope="session")
def ten_thousand() -> TriageReport:
    """Ten thousand reds, each with a paragraph wherever a text stands."""
    return make_report(make_red(number, text="a" * 900) for number in range(10_000))
