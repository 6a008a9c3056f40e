"""The score of all faults: planted, caught, and what is said of those that no scenario noticed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any

from benchmarks.mutants.fault import Fault
from benchmarks.mutants.trial import Bench, Outcome, Trial


@dataclass(frozen=True, kw_only=True)
class Result:
    """What became of a fault."""

    fault: Fault
    outcome: Outcome

    @property
    def caught(self) -> bool:
        """Whether a scenario turned red."""
        return bool(self.outcome.reds)

    @property
    def first(self) -> str:
        """The id of the first red, or nothing."""
        return self.outcome.reds[0] if self.outcome.reds else ""


def sound(bench: Bench) -> Outcome:
    """All scenarios against the runtime as it is: reds that are there anyway prove nothing."""
    return bench.begin(None).end()


def score(faults: Sequence[Fault], bench: Bench, *, jobs: int) -> Iterator[Result]:
    """The result of each fault, in order; `jobs` trials at once."""
    begun: dict[int, Trial] = {}
    ended: dict[int, Outcome] = {}
    for number, fault in enumerate(faults):
        while number not in begun and number not in ended:
            # As many as there is room for, the next ones first.
            for other in range(number, len(faults)):
                if len(begun) < jobs and other not in begun and other not in ended:
                    begun[other] = bench.begin(faults[other])
            _take_ended(begun, ended)
        while number not in ended:
            _take_ended(begun, ended)
        yield Result(fault=fault, outcome=ended[number])


def _take_ended(begun: dict[int, Trial], ended: dict[int, Outcome]) -> None:
    """Wait until a trial is over, and take what it gave."""
    ready: list[Any] = wait([trial.answer for trial in begun.values()])
    for number in [number for number, trial in begun.items() if trial.answer in ready]:
        ended[number] = begun.pop(number).end()
