"""The history as one self-contained page: reds over time by class, and a strip of states for each check."""

from __future__ import annotations

from html import escape

from marg_reports.history.history import ABSENT, GREEN, CheckHistory, History
from marg_reports.page.page import style_sheet
from marg_reports.render.plain_text import visible
from marg_reports.report import CLASSES
from marg_runtime.numbers import plural

STRIP, HEIGHT, GAP = 14, 160, 2
MOST_CHECKS = 2_000


def history_page(history: History) -> str:
    """The page; the same runs give the same bytes."""
    shown = sorted(history.checks, key=lambda check: (check.now in (GREEN, ABSENT), -check.flips, check.id))
    rows = "".join(_row(check) for check in shown[:MOST_CHECKS])
    rest = len(shown) - MOST_CHECKS
    more = f"<p>{plural(rest, 'checks')} more were red at some time.</p>" if rest > 0 else ""
    title = f"Marg: {plural(len(history.runs), 'runs')}"
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{title}</title>'
        f"<style>{style_sheet()}table{{border-collapse:collapse}}td,th{{padding:.15rem .6rem;text-align:left}}"
        f"rect.green{{fill:var(--line)}}</style></head><body><h1>{title}</h1>{_trend(history)}"
        f"<table><thead><tr><th>check</th><th>runs, oldest first</th><th>now</th><th>first red</th><th>last green</th>"
        f"<th>flips</th></tr></thead><tbody>{rows}</tbody></table>{more}</body></html>\n"
    )


def _trend(history: History) -> str:
    """A stacked bar a run, the classes in their order from below."""
    most = max((sum(counts.values()) for counts in history.counts), default=0) or 1
    width = max(8, min(40, 900 // max(1, len(history.runs))))
    bars = []
    for place, counts in enumerate(history.counts):
        top = float(HEIGHT)
        for name in CLASSES:
            height = round(HEIGHT * counts[name] / most, 1)
            top -= height
            where = f'x="{place * width}" y="{round(top, 1)}" width="{width - GAP}" height="{height}"'
            title = f"{visible(history.runs[place])}: {counts[name]} {name}"
            bars.append(f'<rect class="{name}" {where}><title>{escape(title)}</title></rect>' if height else "")
    size = f'viewBox="0 0 {width * len(history.runs)} {HEIGHT}" height="{HEIGHT}"'
    return f'<svg role="img" aria-label="Reds of each class, run by run" {size}>{"".join(bars)}</svg>'


def _row(check: CheckHistory) -> str:
    strip = "".join(
        f'<rect class="{state}" x="{place * STRIP}" y="0" width="{STRIP - GAP}" height="{STRIP}"/>'
        for place, state in enumerate(check.states)
        if state != ABSENT
    )
    said = ", ".join(state or "absent" for state in check.states)
    size = f'width="{STRIP * len(check.states)}" height="{STRIP}"'
    picture = f'<svg role="img" aria-label="{escape(said)}" {size}>{strip}</svg>'
    cells = (check.now or "absent", check.first_red, check.last_green or "never", str(check.flips))
    rest = "".join(f"<td>{escape(visible(cell))}</td>" for cell in cells)
    return f"<tr><td>{escape(visible(check.id))}</td><td>{picture}</td>{rest}</tr>"
