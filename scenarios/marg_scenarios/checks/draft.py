"""What the draft holds after a turn, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_runtime.canonical import Json
from marg_scenarios.checks.check import Check, Verdict, equal
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class DraftCheck(Check):
    """Values of the draft by slot; None expects that the slot is not settled. Other slots are not looked at."""

    kind: ClassVar[str] = "draft"
    expected: Mapping[str, Json]

    def evaluate(self, observation: Observation) -> Verdict:
        """Compare the named slots."""
        values = observation.draft.values
        return equal(self.expected, {slot: values[slot].value if slot in values else None for slot in self.expected})


@dataclass(frozen=True, kw_only=True)
class ProvenanceCheck(Check):
    """Where values came from, by slot: tap, typed, form, carried or model."""

    kind: ClassVar[str] = "provenance"
    expected: Mapping[str, str]

    def evaluate(self, observation: Observation) -> Verdict:
        """Compare the named slots."""
        values = observation.draft.values
        return equal(
            self.expected, {slot: values[slot].provenance if slot in values else None for slot in self.expected}
        )
