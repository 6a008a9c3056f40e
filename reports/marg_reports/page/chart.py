"""The charts, as inline SVG: how many reds of each class, and which scenarios have the most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from marg_reports.render.plain_text import visible
from marg_reports.report import TriageReport
from marg_runtime.numbers import count

WIDTH, BAR, LABEL = 560, 22, 250
LABEL_LETTERS = 36
MOST_BARS = 10


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A bar: its label, its length, and the name of its colour in the style sheet."""

    label: str
    number: int
    colour: str


def class_chart(report: TriageReport) -> str:
    """A bar a class."""
    bars = [Bar(label=name.replace("_", " "), number=number, colour=name) for name, number in report.counts().items()]
    return _svg("Reds by class", bars)


def scenario_chart(report: TriageReport) -> str:
    """The scenarios with the most reds, each bar in the colour of its foremost class."""
    counted = Counter((red.place.path, red.place.scenario) for red in report.reds)
    first = {(red.place.path, red.place.scenario): red.red_class for red in reversed(report.reds)}
    most = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:MOST_BARS]
    bars = [Bar(label=_label(name[1]), number=number, colour=first[name]) for name, number in most]
    return _svg("Scenarios with the most reds", bars)


def _label(name: str) -> str:
    text = visible(name).replace("\n", " ")
    return text if len(text) <= LABEL_LETTERS else f"{text[: LABEL_LETTERS - 1]}…"


def _svg(title: str, bars: Sequence[Bar]) -> str:
    height = BAR * len(bars) + 6
    longest = max((bar.number for bar in bars), default=0) or 1
    rows = "".join(_row(place, bar, longest) for place, bar in enumerate(bars))
    return (
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}"><title>{escape(title)}</title>{rows}</svg>'
    )


def _row(place: int, bar: Bar, longest: int) -> str:
    top, width = place * BAR + 3, round((WIDTH - LABEL - 70) * bar.number / longest, 1)
    return (
        f'<text x="{LABEL - 8}" y="{top + 14}" text-anchor="end">{escape(bar.label)}</text>'
        f'<rect class="{bar.colour}" x="{LABEL}" y="{top}" width="{width}" height="{BAR - 6}" rx="2"/>'
        f'<text x="{LABEL + width + 6}" y="{top + 14}">{count(bar.number)}</text>'
    )
