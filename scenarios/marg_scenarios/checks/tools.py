"""Which tools were called in a turn, and which were not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from marg_runtime.canonical import Json
from marg_runtime.events.model import ArgumentOverridden, ToolCalled
from marg_runtime.events.write import WriteClaimed
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
        return Verdict(
            passed=_all_matched(self.expected, calls),
            expected=[{call.tool: dict(call.arguments)} for call in self.expected],
            got=[{call.tool.name: dict(call.arguments)} for call in calls],
        )


def _all_matched(wanted: tuple[ExpectedCall, ...], calls: list[ToolCalled]) -> bool:
    """Whether every wanted call can have a call of its own: augmenting paths, so that no order of asking loses one."""
    owner: dict[int, int] = {}

    def place(number: int, tried: set[int]) -> bool:
        for at, call in enumerate(calls):
            if at not in tried and _fits(wanted[number], call):
                tried.add(at)
                if at not in owner or place(owner[at], tried):
                    owner[at] = number
                    return True
        return False

    return all(place(number, set()) for number in range(len(wanted)))


def _fits(wanted: ExpectedCall, call: ToolCalled) -> bool:
    return wanted.tool in (call.tool.name, str(call.tool)) and holds_subset(wanted.arguments, call.arguments)


@dataclass(frozen=True, kw_only=True)
class ToolsNotCalledCheck(Check):
    """None of these tools was reached."""

    kind: ClassVar[str] = "tools_not_called"
    expected: tuple[str, ...]

    def evaluate(self, observation: Observation) -> Verdict:
        """Look for a call of one of them."""
        # The runtime's own dispatch is a claim in the ledger, not a call of the model's or of a step's.
        called = [event.tool for event in observation.events(ToolCalled)]
        called += [event.tool for event in observation.events(WriteClaimed)]
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
