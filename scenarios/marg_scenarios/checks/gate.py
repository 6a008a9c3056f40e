"""What the gate decided in a turn, layer by layer, and what was attempted and performed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_runtime.events.write import GateDecided, WriteDone, WriteRefused, WriteUnknown
from marg_scenarios.checks.arguments import arguments_fit, holds_subset
from marg_scenarios.checks.check import Check, Verdict, as_list, as_mapping, same
from marg_scenarios.observation import Observation

BECAUSE = "because"


@dataclass(frozen=True, kw_only=True)
class GateCheck(Check):
    """The gate's decisions of the turn, all of them, in order: for each the layers and the trigger that are named.

    `because` is a pattern that the reason of a layer that refused matches; where none refused, nothing does.
    """

    kind: ClassVar[str] = "gate"
    expected: tuple[Mapping[str, str], ...]

    def look(self, observation: Observation) -> Json:
        """Each decision: its trigger, its layers, the reasons of those that refused."""
        return [_described(event) for event in observation.events(GateDecided)]

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare each decision with what is expected of it."""
        decisions = as_list(got)
        passed = len(decisions) == len(self.expected) and all(
            _is_as(wanted, as_mapping(decision), form)
            for wanted, decision in zip(self.expected, decisions, strict=True)
        )
        return Verdict(passed=passed, expected=self.expected, got=got)


def _is_as(wanted: Mapping[str, str], decision: Mapping[str, Json], form: Form) -> bool:
    layers = {name: word for name, word in wanted.items() if name != BECAUSE}
    pattern, reasons = wanted.get(BECAUSE), str(form(decision.get(BECAUSE) or ""))
    because = pattern is None or (bool(reasons) and re.search(pattern, reasons) is not None)
    return holds_subset(layers, decision) and because


def _reasons(event: GateDecided) -> list[str]:
    return [layer.reason for layer in event.layers if not layer.allowed]


def _described(event: GateDecided) -> dict[str, str]:
    layers: dict[str, str] = {decision.layer: "allowed" if decision.allowed else "refused" for decision in event.layers}
    return {"trigger": event.trigger, **layers, BECAUSE: "; ".join(_reasons(event))}


_ENDS = {WriteDone: "done", WriteRefused: "refused", WriteUnknown: "unknown"}


@dataclass(frozen=True, kw_only=True)
class WriteCheck(Check):
    """How often a write was attempted (the guard allowed it), performed (by the backend's own count) and rehearsed (by
    the count of its double), and how the last one ended.

    arguments: what the attempts must at least have carried.
    """

    kind: ClassVar[str] = "write"
    attempted: int
    performed: int
    rehearsed: int = 0
    ended: str | None = None
    arguments: Mapping[str, Json]

    def look(self, observation: Observation) -> Json:
        """The counts, the end, and the arguments of every attempt, as far as they are expected."""
        attempts = [event for event in observation.events(GateDecided) if event.attempted]
        got: dict[str, Json] = {
            "attempted": len(attempts),
            "performed": observation.writes,
            "rehearsed": observation.rehearsed,
        }
        if self.ended is not None:
            got["ended"] = _end(observation)
        if self.arguments:
            got["arguments"] = [attempt.arguments for attempt in attempts]
        return got

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare the counts and the end, and hold each attempt against the arguments."""
        expected: dict[str, Json] = {
            "attempted": self.attempted,
            "performed": self.performed,
            "rehearsed": self.rehearsed,
        }
        if self.ended is not None:
            expected["ended"] = self.ended
        parts = as_mapping(got)
        counted = same(expected, {name: part for name, part in parts.items() if name != "arguments"}, form=form)
        attempts = as_list(parts.get("arguments"))
        fitting = all(arguments_fit(self.arguments, as_mapping(attempt), form=form) for attempt in attempts)
        shown: dict[str, Json] = {**expected, "arguments": self.arguments} if self.arguments else expected
        return Verdict(passed=counted and fitting, expected=shown, got=got)


def _end(observation: Observation) -> str | None:
    ends = [_ENDS[type(entry.event)] for entry in observation.entries if type(entry.event) in _ENDS]
    return ends[-1] if ends else None
