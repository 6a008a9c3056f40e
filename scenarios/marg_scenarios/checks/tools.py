"""Which tools were called in a turn, and which were not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_runtime.canonical import Json
from marg_runtime.events.model import ArgumentOverridden, ToolCalled
from marg_scenarios.checks.check import Check, Verdict, equal, holds_subset
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class ExpectedCall:
    """A call by the tool's name, and the arguments that it must at least have had."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class ToolsCalledCheck(Check):
    """Each of these calls reached its tool; other calls may have too."""

    kind: ClassVar[str] = "tools_called"
    expected: tuple[ExpectedCall, ...]

    def evaluate(self, observation: Observation) -> Verdict:
        """Find a call of its own for each that is expected."""
        calls = observation.events(ToolCalled)
        left = list(calls)
        for wanted in self.expected:
            found = next((call for call in left if _fits(wanted, call)), None)
            if found is None:
                return Verdict(
                    passed=False,
                    expected=[{call.tool: dict(call.arguments)} for call in self.expected],
                    got=[{call.tool.name: dict(call.arguments)} for call in calls],
                )
            left.remove(found)
        return Verdict(passed=True, expected=[c.tool for c in self.expected], got=[c.tool.name for c in calls])


def _fits(wanted: ExpectedCall, call: ToolCalled) -> bool:
    return wanted.tool in (call.tool.name, str(call.tool)) and holds_subset(wanted.arguments, call.arguments)


@dataclass(frozen=True, kw_only=True)
class ToolsNotCalledCheck(Check):
    """None of these tools was reached."""

    kind: ClassVar[str] = "tools_not_called"
    expected: tuple[str, ...]

    def evaluate(self, observation: Observation) -> Verdict:
        """Look for a call of one of them."""
        called = [call.tool for call in observation.events(ToolCalled)]
        reached = [str(tool) for tool in called if tool.name in self.expected or str(tool) in self.expected]
        return Verdict(passed=not reached, expected={"not called": self.expected}, got={"called": reached})


@dataclass(frozen=True, kw_only=True)
class OverriddenCheck(Check):
    """The arguments of the model's that did not stand, all of them, in order, by name."""

    kind: ClassVar[str] = "overridden"
    expected: tuple[str, ...]

    def evaluate(self, observation: Observation) -> Verdict:
        """Compare with what the ledger says did not stand."""
        return equal(self.expected, [event.argument for event in observation.events(ArgumentOverridden)])
