"""Pass on retry: a test that passes in one of three reruns is flaky, and any other is broken."""

from __future__ import annotations

from benchmarks.reds.baselines.baseline import FLAKY
from benchmarks.reds.case import RedCase
from marg_reports.triage import RedClass


def pass_on_retry(case: RedCase) -> RedClass:
    """Flaky where a rerun passed."""
    return FLAKY if any(case.retries) else "regression"
