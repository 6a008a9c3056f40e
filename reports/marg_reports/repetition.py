"""Repeated runs: how often each scenario passed, with its interval, and the chance that k runs in a row do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from marg_reports.record import RunRecord, ScenarioRecord
from marg_reports.statistics import pass_power
from marg_runtime.intervals import Interval, wilson

POWERS = (1, 2, 4, 8, 16)
"""The k of pass^k that a table shows, as far as there are runs."""


@dataclass(frozen=True, kw_only=True)
class Repetition:
    """A scenario's runs: `passes` of `of`. invalid: runs that could not be measured; they count in neither."""

    path: str
    title: str
    passes: int
    of: int
    invalid: int = 0

    @property
    def interval(self) -> Interval:
        """Wilson's interval of its pass rate."""
        return wilson(self.passes, self.of)

    def power(self, k: int) -> float:
        """pass^k, estimated without bias; raises ValueError for a k that is more than its runs."""
        return pass_power(self.passes, self.of, k=k)


@dataclass(frozen=True, kw_only=True)
class RepetitionReport:
    """All scenarios of repeated runs, in order, and their sum."""

    repetitions: tuple[Repetition, ...]

    @property
    def total(self) -> Repetition:
        """All runs of all scenarios together."""
        return Repetition(
            path="",
            title="all",
            passes=sum(one.passes for one in self.repetitions),
            of=sum(one.of for one in self.repetitions),
            invalid=sum(one.invalid for one in self.repetitions),
        )

    def mean_power(self, k: int) -> float:
        """The mean of the scenarios' pass^k: the chance that a scenario drawn at random passes k times in a row."""
        powers = [one.power(k) for one in self.repetitions if one.of >= k]
        return sum(powers) / len(powers) if powers else 0.0

    @property
    def powers(self) -> tuple[int, ...]:
        """The k of POWERS for which there are runs enough."""
        fewest = min((one.of for one in self.repetitions), default=0)
        return tuple(k for k in POWERS if k <= fewest)


def repetition_report(runs: Iterable[RunRecord]) -> RepetitionReport:
    """The report of runs of the same scenarios."""
    counted: dict[tuple[str, str], list[bool]] = {}
    invalid: dict[tuple[str, str], int] = {}
    for run in runs:
        for scenario in run.scenarios:
            key = (scenario.path, scenario.title)
            results = counted.setdefault(key, [])
            if _measured(scenario):
                results.append(not any(check.red for check in scenario.checks))
            else:
                invalid[key] = invalid.get(key, 0) + 1
    return RepetitionReport(
        repetitions=tuple(
            Repetition(
                path=path, title=title, passes=sum(results), of=len(results), invalid=invalid.get((path, title), 0)
            )
            for (path, title), results in sorted(counted.items())
        )
    )


def _measured(scenario: ScenarioRecord) -> bool:
    """A run that a network stopped measured nothing, nor did one whose target reports nothing that is looked at."""
    stopped = any(check.kind == "network" for check in scenario.checks)
    return not stopped and (not scenario.checks or any(check.measured for check in scenario.checks))
