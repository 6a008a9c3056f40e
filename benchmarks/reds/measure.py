"""What the benchmark counts: how often a class is right, and what went wrong where that matters most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from benchmarks.reds.case import RedCase
from marg_reports.triage import RedClass
from marg_runtime.intervals import Interval, clopper_pearson, wilson

CLASSES: tuple[RedClass, ...] = get_args(RedClass)


@dataclass(frozen=True, kw_only=True)
class ClassMeasure:
    """Of one class: reds that are it, reds that are called it, reds that are both."""

    name: RedClass
    of_truth: int
    called: int
    right: int

    @property
    def recall(self) -> float | None:
        """The share of its reds that are called it; None where it has none."""
        return self.right / self.of_truth if self.of_truth else None

    @property
    def precision(self) -> float | None:
        """The share of what is called it that is it; None where nothing is."""
        return self.right / self.called if self.called else None


@dataclass(frozen=True, kw_only=True)
class Measure:
    """The verdicts of one classifier on all reds. exonerated: regressions that were called something harmless.

    of_kind: for each kind that has reds, the share that is called what it is.
    """

    confusion: Mapping[tuple[RedClass, RedClass], int]
    of_kind: Mapping[str, float] = field(default_factory=dict)

    @property
    def balanced(self) -> float:
        """The accuracy where every kind counts the same, however many reds its fault makes in a run."""
        return sum(self.of_kind.values()) / len(self.of_kind) if self.of_kind else 0.0

    @property
    def reds(self) -> int:
        """All reds."""
        return sum(self.confusion.values())

    @property
    def right(self) -> int:
        """Those that are called what they are."""
        return sum(number for (truth, called), number in self.confusion.items() if truth == called)

    @property
    def accuracy(self) -> float:
        """The share of those."""
        return self.right / self.reds if self.reds else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of it."""
        return wilson(self.right, self.reds)

    @property
    def regressions(self) -> int:
        """Reds that are regressions."""
        return sum(number for (truth, _), number in self.confusion.items() if truth == "regression")

    @property
    def exonerated(self) -> int:
        """Regressions that are called something that lets a change through; unclassified does not."""
        return sum(
            number
            for (truth, called), number in self.confusion.items()
            if truth == "regression" and called not in ("regression", "unclassified")
        )

    @property
    def exonerated_bound(self) -> float:
        """The upper end of Clopper and Pearson's 95 % interval of that share."""
        return clopper_pearson(self.exonerated, self.regressions).high

    def of_class(self, name: RedClass) -> ClassMeasure:
        """The figures of one class."""
        return ClassMeasure(
            name=name,
            of_truth=sum(number for (truth, _), number in self.confusion.items() if truth == name),
            called=sum(number for (_, called), number in self.confusion.items() if called == name),
            right=self.confusion.get((name, name), 0),
        )


def measure(cases: Sequence[RedCase], called: Sequence[str]) -> Measure:
    """Count verdicts against the truth. Raises ValueError for a class that there is not, or another number of them."""
    counted: Counter[tuple[RedClass, RedClass]] = Counter()
    reds: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for case, verdict in zip(cases, called, strict=True):
        counted[_class(case.truth), _class(verdict)] += 1
        reds[case.kind] += 1
        right[case.kind] += case.truth == verdict
    return Measure(confusion=dict(counted), of_kind={kind: right[kind] / reds[kind] for kind in sorted(reds)})


def _class(name: str) -> RedClass:
    for known in CLASSES:
        if known == name:
            return known
    raise ValueError(f"{name!r} is no class; there are {', '.join(CLASSES)}")
