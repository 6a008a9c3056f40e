"""The history of checks over the runs of a folder. History is shown, and never evidence for a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from marg_reports.report import TriageReport
from marg_reports.triage.words import RedClass

GREEN = "green"
ABSENT = ""


@dataclass(frozen=True, kw_only=True)
class RunOfHistory:
    """A run by its name, such as its file's; runs are in the order of their names."""

    name: str
    report: TriageReport


@dataclass(frozen=True, kw_only=True)
class CheckHistory:
    """A check that was red at least once.

    states: in every run `green`, the class of its red, or nothing where the run had no such check. first_red,
    last_green: the names of runs, None where there is none. flips: how often green and red followed one another.
    """

    id: str
    scenario: str
    states: tuple[str, ...]
    first_red: str
    last_green: str | None
    flips: int

    @property
    def now(self) -> str:
        """Its state in the last run."""
        return self.states[-1]


@dataclass(frozen=True, kw_only=True)
class History:
    """The runs in order, how many reds of each class each had, and the checks that were ever red."""

    runs: tuple[str, ...]
    counts: tuple[Mapping[RedClass, int], ...]
    checks: tuple[CheckHistory, ...]

    def trend(self, scenario: str) -> tuple[Mapping[str, int], ...]:
        """For each run, how many of a scenario's checks (`path::scenario[row]`) were of which class."""
        mine = [check for check in self.checks if check.scenario == scenario]
        return tuple(
            Counter(check.states[place] for check in mine if check.states[place] not in (GREEN, ABSENT))
            for place in range(len(self.runs))
        )


def history_of(runs: Sequence[RunOfHistory]) -> History:
    """The history of these runs, whatever order they come in."""
    ordered = sorted(runs, key=lambda run: run.name)
    names = tuple(run.name for run in ordered)
    states = [_states(run.report) for run in ordered]
    scenarios = {red.place.id: red.place.suite for run in ordered for red in run.report.reds}
    checks = tuple(
        _check(identity, scenarios[identity], tuple(run.get(identity, ABSENT) for run in states), names)
        for identity in sorted(scenarios)
    )
    return History(runs=names, counts=tuple(run.report.counts() for run in ordered), checks=checks)


def _states(report: TriageReport) -> dict[str, str]:
    found: dict[str, str] = {check.place.id: GREEN for check in report.checks if check.valid}
    return found | {red.place.id: red.red_class for red in report.reds}


def _check(identity: str, scenario: str, states: tuple[str, ...], names: Sequence[str]) -> CheckHistory:
    red = [place for place, state in enumerate(states) if state not in (GREEN, ABSENT)]
    green = [place for place, state in enumerate(states) if state == GREEN]
    seen = [state == GREEN for state in states if state != ABSENT]
    return CheckHistory(
        id=identity,
        scenario=scenario,
        states=states,
        first_red=names[red[0]],
        last_green=names[green[-1]] if green else None,
        flips=sum(one != other for one, other in pairwise(seen)),
    )
