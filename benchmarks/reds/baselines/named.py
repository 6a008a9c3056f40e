"""The baselines by name, in the order in which they are printed."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.reds.baselines.base_difference import base_difference
from benchmarks.reds.baselines.baseline import Baseline, one_by_one
from benchmarks.reds.baselines.flakemap_history import HAS_FLAKEMAP, flakemap
from benchmarks.reds.baselines.message_regex import message_regex
from benchmarks.reds.baselines.pass_on_retry import pass_on_retry
from benchmarks.reds.baselines.usual_stack import usual_stack

_OURS: Mapping[str, Baseline] = {
    "message regex": one_by_one(message_regex),
    "pass on retry (3)": one_by_one(pass_on_retry),
    "base difference": one_by_one(base_difference),
    "usual stack": one_by_one(usual_stack),
}

BASELINES: Mapping[str, Baseline] = {**_OURS, **({"flakemap": flakemap} if HAS_FLAKEMAP else {})}
"""flakemap is a package of the tests, and is left out where it is not installed."""
