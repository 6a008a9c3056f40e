"""What the gate decided in a turn, layer by layer, and what was attempted and performed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_runtime.canonical import Json
from marg_runtime.events.write import GateDecided
from marg_scenarios.checks.check import Check, Verdict, equal, holds_subset
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class GateCheck(Check):
    """The gate's decisions of the turn, all of them, in order: for each the layers and the trigger that are named."""

    kind: ClassVar[str] = "gate"
    expected: tuple[Mapping[str, str], ...]

    def evaluate(self, observation: Observation) -> Verdict:
        """Compare each decision with what is expected of it."""
        decisions = [_described(event) for event in observation.events(GateDecided)]
        passed = len(decisions) == len(self.expected) and all(
            holds_subset(wanted, got) for wanted, got in zip(self.expected, decisions, strict=True)
        )
        return Verdict(passed=passed, expected=self.expected, got=decisions)


def _described(event: GateDecided) -> dict[str, str]:
    layers: dict[str, str] = {decision.layer: "allowed" if decision.allowed else "refused" for decision in event.layers}
    return {"trigger": event.trigger, **layers}


@dataclass(frozen=True, kw_only=True)
class WriteCheck(Check):
    """How often a write was attempted (the guard allowed it) and performed (by the backend's own count).

    arguments: what the attempts must at least have carried.
    """

    kind: ClassVar[str] = "write"
    attempted: int
    performed: int
    arguments: Mapping[str, Json]

    def evaluate(self, observation: Observation) -> Verdict:
        """Count both and look at the arguments of every attempt."""
        attempts = [event for event in observation.events(GateDecided) if event.attempted]
        expected: dict[str, Json] = {"attempted": self.attempted, "performed": self.performed}
        got: dict[str, Json] = {"attempted": len(attempts), "performed": observation.writes}
        fitting = all(holds_subset(self.arguments, attempt.arguments) for attempt in attempts)
        if self.arguments:
            expected["arguments"] = self.arguments
            got["arguments"] = [attempt.arguments for attempt in attempts]
        counted = equal([self.attempted, self.performed], [len(attempts), observation.writes]).passed
        return Verdict(passed=counted and fitting, expected=expected, got=got)
