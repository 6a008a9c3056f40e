"""Message regex: the words of a failure looked for in a list, as the triage scripts of many teams do."""

from __future__ import annotations

import re

from benchmarks.reds.case import RedCase
from marg_reports.triage import RedClass

PATTERNS: tuple[tuple[RedClass, str], ...] = (
    (
        "transport",
        r"time[d ]?\s?out|connection|refused|reset by|unreachable|rate.?limit|overload|unavailable|unauthori[sz]ed"
        r"|bad gateway|\b(?:401|429|50[0234]|529)\b|could not (?:answer|be reached|reach)|stream|socket|closed",
    ),
    ("brittle_check", r"KeyError|IndexError|\b[0-9a-f]{8}-[0-9a-f]{4}-|\d{4}-\d\d-\d\dT\d\d:\d\d|undeclared"),
    ("model_flake", r"\(model\)|I would rather not|as an AI|sorry"),
)
"""The patterns, tried in this order; what none of them finds is a regression."""

_COMPILED = tuple((red_class, re.compile(pattern, re.IGNORECASE)) for red_class, pattern in PATTERNS)


def message_regex(case: RedCase) -> RedClass:
    """The class of the first pattern that the message has in it."""
    return next((red_class for red_class, pattern in _COMPILED if pattern.search(case.message)), "regression")
