"""Which facts a turn queued for the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from marg_runtime.events.step import StepSkipped, SummaryDeclined, ValueSettled
from marg_runtime.events.write import WriteDone, WriteRefused
from marg_scenarios.checks.check import Check, Verdict, equal
from marg_scenarios.observation import Observation

_TELLING = (ValueSettled, StepSkipped, SummaryDeclined, WriteDone, WriteRefused)


@dataclass(frozen=True, kw_only=True)
class FactsCheck(Check):
    """The facts that the turn queued, all of them, in order."""

    kind: ClassVar[str] = "facts"
    expected: tuple[str, ...]

    def evaluate(self, observation: Observation) -> Verdict:
        """Compare with the facts in the ledger."""
        queued = [entry.event.fact for entry in observation.entries if isinstance(entry.event, _TELLING)]
        return equal(self.expected, queued)
