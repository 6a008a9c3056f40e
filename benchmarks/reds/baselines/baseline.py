"""A baseline: a class for each red, in order, from what a log, reruns, the base and a history show of it.

Those who know only `flaky` call no class of ours by it. Here it stands for a model's flake: of the harmless classes of
the benchmark it is the one that reruns and histories are meant for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from benchmarks.reds.case import RedCase
from marg_reports.triage import RedClass

Baseline: TypeAlias = Callable[[Sequence[RedCase]], Sequence[RedClass]]
FLAKY: RedClass = "model_flake"


def one_by_one(classify: Callable[[RedCase], RedClass]) -> Baseline:
    """A baseline that looks at each red by itself."""
    return lambda cases: [classify(case) for case in cases]
