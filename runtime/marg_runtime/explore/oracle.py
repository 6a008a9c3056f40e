"""The oracle: it judges what a session did by its events alone, and shares no code with the gate, the fold or `decide`.

It is written from rules S1, S2, G1 to G10, C4 and C5. Events are told apart by the names of their kinds, so a kind that
it does not know changes nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from marg_runtime.domain import Domain
from marg_runtime.effects import Effect
from marg_runtime.explore import judge_steps, judge_turns
from marg_runtime.explore.bench import Bench, Law
from marg_runtime.explore.judge_writes import judge_effect
from marg_runtime.explore.memory import Memory
from marg_runtime.explore.violation import Violation
from marg_runtime.ledger import Entry
from marg_runtime.tools.tool import ToolSpec

__all__ = ["Judged", "Oracle", "judge_steps", "judge_turns"]


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The memory after some events, and the rules that they broke."""

    memory: Memory
    violations: tuple[Violation, ...]


class Oracle:
    """Judges the events of a domain's sessions.

    yes: the phrases that are a plain go-ahead. write_flag: as the process has it. in_order: whether the channel is
    declared to deliver in order (rule G3).
    """

    def __init__(self, *, domain: Domain, yes: Iterable[str], write_flag: str | None, in_order: bool = False) -> None:
        self._law = Law(
            domain=domain,
            yes=frozenset(yes),
            write_flag=write_flag,
            in_order=in_order,
            dependants=_dependants(domain.steps),
            optional=frozenset(step.key for step in domain.steps if not step.required),
        )

    def judge(
        self, memory: Memory, entries: Sequence[Entry], effects: Sequence[Effect], tools: Sequence[ToolSpec]
    ) -> Judged:
        """Take in the entries of one decision, the effects that it asked for, and the tools as they are listed now."""
        bench = Bench(law=self._law, memory=memory, tools=tools)
        for entry in entries:
            bench.take(entry)
        for effect in effects:
            judge_effect(bench, effect)
        return Judged(memory=bench.memory, violations=tuple(bench.violations))


def _dependants(steps: Sequence[Any]) -> dict[str, frozenset[str]]:
    """For each step all that depend on it, through chains; reckoned from `depends_on` alone."""
    found: dict[str, frozenset[str]] = {}
    for step in reversed(steps):
        direct = {other.key for other in steps if step.key in other.depends_on}
        found[step.key] = frozenset(direct.union(*(found[key] for key in direct)))
    return found
