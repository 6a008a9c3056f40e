"""The bench that the oracle sits on: the memory as it changes, the rules that are broken, who judges which event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from marg_runtime.domain import Domain
from marg_runtime.evolve import evolve
from marg_runtime.explore.memory import Memory
from marg_runtime.explore.violation import Violation
from marg_runtime.ledger import Entry
from marg_runtime.tools.tool import ToolName, ToolSpec

Judge: TypeAlias = "Callable[[Bench, Entry, Any], None]"

JUDGES: dict[str, Judge] = {}


@dataclass(frozen=True, kw_only=True)
class Law:
    """What a session is judged by: the domain, the phrases that are a plain yes, the write flag, the channel.

    dependants: for each step those that depend on it, through chains. optional: steps that may be skipped.
    """

    domain: Domain
    yes: frozenset[str]
    write_flag: str | None
    in_order: bool
    dependants: Mapping[str, frozenset[str]]
    optional: frozenset[str]

    @property
    def lookup(self) -> ToolName | None:
        """The tool that looks unknown writes up."""
        return self.domain.reconcile.tool if self.domain.reconcile else None

    def slots(self, step: str) -> tuple[str, ...]:
        """The slots that a step fills."""
        return next(other for other in self.domain.steps if other.key == step).slots


@dataclass(kw_only=True)
class Bench:
    """One decision's events, one after the other."""

    law: Law
    memory: Memory
    tools: Sequence[ToolSpec]
    violations: list[Violation] = field(default_factory=list)
    event: str = ""

    def take(self, entry: Entry) -> None:
        """Judge one entry; an event of a kind that nobody judges changes nothing."""
        self.event = type(entry.event).__name__
        judge = JUDGES.get(self.event)
        if judge is not None:
            judge(self, entry, entry.event)

    def note(self, **changes: Any) -> None:
        """Remember."""
        self.memory = evolve(self.memory, **changes)

    def broken(self, rule: str, seen: str) -> None:
        """A rule was broken."""
        self.violations.append(Violation(rule=rule, seen=seen, event=self.event))

    def listed(self, tool: ToolName) -> ToolSpec | None:
        """A tool as it is listed now."""
        return next((spec for spec in self.tools if (spec.server, spec.name) == (tool.server, tool.name)), None)


def judges(*kinds: str) -> Callable[[Judge], Judge]:
    """Register a judge of these kinds of event."""

    def register(judge: Judge) -> Judge:
        JUDGES.update(dict.fromkeys(kinds, judge))
        return judge

    return register
