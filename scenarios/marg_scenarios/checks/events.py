"""Which events a turn wrote into the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from marg_scenarios.checks.check import Check, Verdict
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class EventsCheck(Check):
    """Events by name that the turn must have, or must not have."""

    kind: ClassVar[str] = "events"
    has: tuple[str, ...]
    lacks: tuple[str, ...]

    def evaluate(self, observation: Observation) -> Verdict:
        """Look for each name among the turn's entries."""
        names = [type(entry.event).__name__ for entry in observation.entries]
        passed = all(name in names for name in self.has) and not any(name in names for name in self.lacks)
        return Verdict(passed=passed, expected={"has": self.has, "lacks": self.lacks}, got=names)
