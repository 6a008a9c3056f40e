"""The usual stack of the three: infrastructure by its words, then flakes by a rerun, then old failures by the base."""

from __future__ import annotations

from benchmarks.reds.baselines.base_difference import base_difference
from benchmarks.reds.baselines.baseline import FLAKY
from benchmarks.reds.baselines.message_regex import message_regex
from benchmarks.reds.case import RedCase
from marg_reports.triage import RedClass


def usual_stack(case: RedCase) -> RedClass:
    """The first of the three that has anything to say; a failure without a base counts against the change."""
    if message_regex(case) == "transport":
        return "transport"
    if any(case.retries):
        return FLAKY
    against_base = base_difference(case)
    return "regression" if against_base == "unclassified" else against_base
