"""What the page's script is handed: every red with its evidence and its rules, and as much of its talk as fits."""

from __future__ import annotations

import json
from typing import Any

from marg_reports.render.body import headline, message
from marg_reports.render.plain_text import shortened, visible
from marg_reports.report import TriagedRed, TriageReport
from marg_reports.triage.verdict import Tried

MOST_BYTES = 4_500_000
"""Of the data; the page around it stays well below half a megabyte, so the whole is below five."""

LONGEST_NAME = 300
SAMPLE = 200

_LIMITS = (4_000, 1_000, 250, 0)
"""Characters of a value or a line of talk; at 0 the talk is left out. The first that fits the size is taken."""


def page_data(report: TriageReport) -> str:
    """JSON for a script element: no `<` in it, so no text can end the element."""
    name_limit = min(LONGEST_NAME, MOST_BYTES // (6 * max(1, len(report.reds))))
    for limit in _LIMITS:
        if _sampled(report, limit, name_limit) < MOST_BYTES:
            cells, traces = Shared(), Shared()
            reds = [_red(red, limit, name_limit, cells=cells, traces=traces) for red in report.reds]
            text = _json({"reds": reds, "cells": cells.parts, "traces": traces.parts})
            if len(text) < MOST_BYTES:
                return text
    return _json({"reds": [_brief(red, name_limit) for red in report.reds], "cells": [], "traces": []})


def _sampled(report: TriageReport, limit: int, name_limit: int) -> int:
    """About how long the data would be, from some of the reds: building it whole for each limit takes long."""
    some = report.reds[:: max(1, len(report.reds) // SAMPLE)]
    length = len(_json([_red(red, limit, name_limit, cells=Shared(), traces=Shared()) for red in some]))
    return length * len(report.reds) // max(1, len(some))


class Shared:
    """Parts that many reds have alike, each kept once: the reds of one run have few matrices and rule traces."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self._places: dict[str, int] = {}

    def place(self, part: Any) -> int:
        """The number of a part, which is kept where it is new."""
        place = self._places.setdefault(json.dumps(part), len(self.parts))
        if place == len(self.parts):
            self.parts.append(part)
        return place


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _brief(red: TriagedRed, name_limit: int) -> dict[str, Any]:
    place = red.place
    return {
        "id": visible(shortened(place.id, name_limit)),
        "where": visible(shortened(place.where, name_limit)),
        "class": red.red_class,
        "name": red.name,
        "owner": red.owner,
        "says": visible(shortened(message(red), min(120, name_limit))),
    }


def _red(red: TriagedRed, limit: int, name_limit: int, *, cells: Shared, traces: Shared) -> dict[str, Any]:
    verdict = red.verdict
    return _brief(red, name_limit) | {
        "headline": headline(red),
        "command": visible(verdict.command),
        "nearest": visible(verdict.nearest),
        "note": visible(verdict.note),
        "also": list(verdict.also),
        "expected": visible(shortened(red.expected, limit or 80)),
        "got": visible(shortened(red.got, limit or 80)),
        "differences": [visible(shortened(one, limit or 80)) for one in red.differences],
        "cells": cells.place([[one.cell, visible(one.says), one.commit, visible(one.command)] for one in red.squares]),
        "trace": traces.place([_tried(tried) for tried in verdict.trace]),
        "talk": _talk(red, limit) if limit else [],
    }


def _tried(tried: Tried) -> list[str]:
    """A row of the rule trace: the rule, its class, and why it did or did not hold."""
    if tried.met:
        why = "holds"
    elif tried.contradicted_by:
        why = "; ".join(tried.contradicted_by)
    else:
        why = f"not known: {', '.join(tried.missing)}"
    return [tried.rule, tried.would_be, why]


def _talk(red: TriagedRed, limit: int) -> list[list[Any]]:
    return [
        [turn.number, line.by, visible(shortened(line.text, limit))] for turn in red.transcript for line in turn.lines
    ]
