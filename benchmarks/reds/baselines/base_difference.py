"""Base difference: a test that passes on the base was broken by the change, one that fails there was broken before."""

from __future__ import annotations

from benchmarks.reds.case import RedCase
from marg_reports.triage import RedClass


def base_difference(case: RedCase) -> RedClass:
    """By the base alone; where there is no base, or no such test on it, nothing is said."""
    if case.base is None:
        return "unclassified"
    return "regression" if case.base else "pre_existing"
