"""The step summary in Markdown: counts by class, regressions first, and never above the size that loses it whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marg_reports.render.body import message
from marg_reports.render.plain_text import visible
from marg_reports.report import TriagedRed, TriageReport
from marg_reports.triage.words import RedClass
from marg_runtime.numbers import count, of, plural

MOST_BYTES = 1_000 * 1024
"""GitHub drops a step's summary that is larger than 1,024 KiB; some is left for what other steps add."""

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>~@&-])")


def summary_markdown(report: TriageReport, *, most_bytes: int = MOST_BYTES) -> str:
    """The Markdown, at most `most_bytes` long; the reds that do not fit are counted."""
    kept: list[str] = list(_head(report))
    # Room for the last line, which says how many are not listed.
    room = most_bytes - sum(len(line.encode()) + 1 for line in kept) - 100
    shown, section = 0, None
    for red in report.reds:
        lines = [] if red.red_class == section else ["", f"### {_title(red.red_class)}", ""]
        lines += _red(red)
        room -= sum(len(line.encode()) + 1 for line in lines)
        if room < 0:
            break
        kept += lines
        section, shown = red.red_class, shown + 1
    if shown < len(report.reds):
        kept += ["", f"{plural(len(report.reds) - shown, 'reds')} more are not listed here."]
    return "\n".join(kept) + "\n"


def _head(report: TriageReport) -> Iterator[str]:
    failed, checks = len(report.reds), len(report.checks)
    yield f"## Marg: {plural(failed, 'reds')} in {plural(report.scenarios, 'scenarios')}"
    yield ""
    yield f"{of(checks - failed - report.invalid, checks)} checks passed; {count(report.invalid)} not measured."
    if report.base:
        yield f"Head {_code(report.head)}, base {_code(report.base)}."
    yield ""
    yield "| class | reds |"
    yield "|---|---:|"
    for name, number in report.counts().items():
        yield f"| {_title(name)} | {count(number)} |"


def _title(red_class: RedClass) -> str:
    return red_class.replace("_", " ")


def _red(red: TriagedRed) -> Iterator[str]:
    verdict, place = red.verdict, red.place
    said = f"{red.label.author}: {red.label.because}" if red.label else f"{verdict.confidence}, {verdict.rule}"
    yield f"- **{_escaped(red.name)}** ({_escaped(said)}) {_code(place.id)}"
    yield f"  {_escaped(message(red))}, {_code(place.where)}"
    if verdict.note:
        yield f"  note: {_escaped(verdict.note)}"
    if verdict.command:
        yield f"  decide it: {_code(verdict.command)}"


def _escaped(text: str) -> str:
    """Text in which no letter is markup, on one line."""
    return _MARKUP.sub(r"\\\1", visible(text).replace("\n", " "))


def _code(text: str) -> str:
    """A code span that its own text cannot end."""
    text = visible(text).replace("\n", " ")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"{fence}{text}{fence}"
