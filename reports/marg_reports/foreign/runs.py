"""The runs at hand of another runner, and how many of each it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from math import comb
from typing import Final, Literal, TypeAlias

from marg_reports.foreign.case import ForeignRun

RunKind = Literal["rerun", "base_code", "base", "base_checks", "alone", "fresh"]

SWAPPED: Final[dict[RunKind, str]] = {
    "rerun": "this commit again",
    "base_code": "these tests on the base's code",
    "base": "the base as it was",
    "base_checks": "the base's tests on this code",
    "alone": "each red test by itself, this commit",
    "fresh": "this commit again, each test in a process of its own",
}
"""What is run for each kind of report; one factor differs from the run to triage, or the base's own in two."""

ALPHA = 0.01
"""The chance of a false alarm in a whole report, shared by its reds (Bonferroni)."""

LEAST_RUNS = 5
"""Fewer a side say nothing: five failures against five passes come by chance in 1 of 252."""

Reports: TypeAlias = Sequence[ForeignRun]


@dataclass(frozen=True, kw_only=True)
class ForeignRuns:
    """The reports at hand. head: the run to triage; it says which tests are red and is no evidence for itself.

    others: reports by their kind, each a whole run. hermetic: it is stated that no run could reach a network.
    same_checks: it is stated that the tests are the same on both sides; then the base's own runs are also those of
    these tests on the base's code, and the reruns those of the base's tests on this code. names: of the reports' files.
    """

    head: ForeignRun
    others: dict[RunKind, Reports] = field(default_factory=dict)
    names: dict[RunKind, Sequence[str]] = field(default_factory=dict)
    hermetic: bool = False
    same_checks: bool = False

    def source(self, kind: RunKind) -> RunKind:
        """The kind whose reports stand for this one, where the tests are stated to be the same."""
        if self.same_checks and not self.others.get(kind):
            return {"base_code": "base", "base_checks": "rerun"}.get(kind, kind)  # type: ignore[return-value]
        return kind

    def of(self, kind: RunKind) -> Reports:
        """The reports of a kind, or those that stand for them."""
        return self.others.get(self.source(kind), ())

    @cached_property
    def reds(self) -> int:
        """How many cases of the head are red."""
        return sum(case.is_red for case in self.head.values())

    @cached_property
    def needed(self) -> int:
        """How many runs of a kind it takes, so that no red of the report is called a regression by chance."""
        return runs_needed(self.reds)


def runs_needed(reds: int) -> int:
    """The fewest runs a side with which `reds` tests that waver evenly yield a false alarm in 1 of 100 reports.

    All failures on one side and all passes on the other have, by Fisher's exact test, a chance of 1 in C(2k, k).
    """
    return next(runs for runs in count(LEAST_RUNS) if max(1, reds) / comb(2 * runs, runs) <= ALPHA)
