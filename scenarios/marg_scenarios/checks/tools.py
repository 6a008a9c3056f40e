"""Which tools were called in a turn, and which were not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_runtime.events.model import ArgumentOverridden, ToolCalled
from marg_runtime.events.write import WriteClaimed
from marg_scenarios.checks.arguments import arguments_fit
from marg_scenarios.checks.check import Check, Verdict, as_list, as_mapping, equal
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class ExpectedCall:
    """A call by the tool's name, and the arguments that it must at least have had; where `exact`, no others.

    ignore: arguments that are not looked at then. by: who called, where that matters.
    """

    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    exact: bool = False
    ignore: tuple[str, ...] = ()
    by: str | None = None

    def fits(self, call: Mapping[str, Json], *, form: Form = identity) -> bool:
        """Whether a call, as `seen_calls` gives it, is as expected."""
        name = str(call.get("tool"))
        named = self.tool in (name, name.rpartition("/")[2]) and self.by in (None, call.get("by"))
        arguments = as_mapping(call.get("arguments"))
        return named and arguments_fit(self.arguments, arguments, exact=self.exact, ignore=self.ignore, form=form)

    def as_json(self) -> Json:
        """The call as it is shown in a red."""
        parts: dict[str, Json] = {self.tool: dict(self.arguments), "exact": self.exact, "by": self.by}
        return {name: part for name, part in parts.items() if name == self.tool or part}


def seen_call(event: ToolCalled) -> Json:
    """A call of the model's or of a step's, as it is looked at."""
    return {"tool": str(event.tool), "by": event.by, "arguments": event.arguments}


def seen_calls(observation: Observation) -> list[Json]:
    """All calls of a turn that reached their tool, in order: the model's, a step's, the runtime's own dispatch."""
    calls: list[Json] = []
    for entry in observation.entries:
        event = entry.event
        if isinstance(event, ToolCalled):
            calls.append(seen_call(event))
        elif isinstance(event, WriteClaimed):
            # The runtime's own dispatch is a claim in the ledger, not a call of the model's or of a step's.
            calls.append({"tool": str(event.tool), "by": "runtime", "arguments": event.arguments})
    return calls


@dataclass(frozen=True, kw_only=True)
class ToolsCalledCheck(Check):
    """Each of these calls reached its tool; other calls may have too."""

    kind: ClassVar[str] = "tools_called"
    expected: tuple[ExpectedCall, ...]

    def look(self, observation: Observation) -> Json:
        """The calls in the ledger."""
        return seen_calls(observation)

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        calls = [as_mapping(call) for call in as_list(got)]
        return Verdict(
            passed=self.holds(calls, form=form), expected=[call.as_json() for call in self.expected], got=got
        )

    def holds(self, calls: list[Mapping[str, Json]], *, form: Form) -> bool:
        """Whether there is a call of its own for each that is expected."""
        return len(matched_calls(self.expected, calls, form=form)) == len(self.expected)


@dataclass(frozen=True, kw_only=True)
class ToolsOnlyCheck(ToolsCalledCheck):
    """These calls reached their tools, and no others did."""

    kind: ClassVar[str] = "tools_only"

    def holds(self, calls: list[Mapping[str, Json]], *, form: Form) -> bool:
        """Whether there is a call for each, and none is left over."""
        return len(calls) == len(self.expected) and super().holds(calls, form=form)


@dataclass(frozen=True, kw_only=True)
class ToolsInOrderCheck(ToolsCalledCheck):
    """These calls reached their tools in this order; others may stand between them."""

    kind: ClassVar[str] = "tools_in_order"

    def holds(self, calls: list[Mapping[str, Json]], *, form: Form) -> bool:
        """Whether each is found after the one before."""
        left = iter(calls)
        return all(any(wanted.fits(call, form=form) for call in left) for wanted in self.expected)


def matched_calls(
    wanted: Sequence[ExpectedCall], calls: Sequence[Mapping[str, Json]], *, form: Form = identity
) -> frozenset[int]:
    """The places of the calls that are the wanted ones', each its own, for as many as can have one: augmenting paths,
    so that no order of asking loses one."""
    owner: dict[int, int] = {}

    def place(number: int, tried: set[int]) -> bool:
        for at, call in enumerate(calls):
            if at not in tried and wanted[number].fits(call, form=form):
                tried.add(at)
                if at not in owner or place(owner[at], tried):
                    owner[at] = number
                    return True
        return False

    for number in range(len(wanted)):
        place(number, set())
    return frozenset(owner)


@dataclass(frozen=True, kw_only=True)
class ToolsNotCalledCheck(Check):
    """None of these tools was reached."""

    kind: ClassVar[str] = "tools_not_called"
    expected: tuple[str, ...]

    def look(self, observation: Observation) -> Json:
        """The calls in the ledger."""
        return seen_calls(observation)

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Look for a call of one of them."""
        names = [str(as_mapping(call).get("tool")) for call in as_list(got)]
        reached = [name for name in names if name in self.expected or name.rpartition("/")[2] in self.expected]
        return Verdict(passed=not reached, expected={"not called": self.expected}, got=got)


@dataclass(frozen=True, kw_only=True)
class OverriddenCheck(Check):
    """The arguments of the model's that did not stand, all of them, in order, by name."""

    kind: ClassVar[str] = "overridden"
    expected: tuple[str, ...]

    def look(self, observation: Observation) -> Json:
        """What the ledger says did not stand."""
        return [event.argument for event in observation.events(ArgumentOverridden)]

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """Compare."""
        return equal(self.expected, got, form=form)
