"""The mock machine: declared states, and what the model answers in each. Made by `marg_mock_model.file`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from marg_mock_model.guard import PATTERN_GUARDS, Focus, Guard, narrow
from marg_mock_model.situation import Situation
from marg_runtime.canonical import Json
from marg_runtime.models.model import FinishReason


@dataclass(frozen=True, kw_only=True)
class Matching:
    """How far a situation fits: the guards that hold, those that do not, and the groups that templates may use."""

    held: tuple[Guard, ...]
    failed: tuple[Guard, ...]
    groups: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class When:
    """The guards of a transition; all must hold, and where there are none anything will do."""

    guards: tuple[Guard, ...]
    path: str
    line: int

    def matching(self, situation: Situation) -> Matching:
        """How far the situation fits the guards."""
        held: list[Guard] = []
        failed: list[Guard] = []
        focus = Focus.on(situation)
        for guard in self.guards:
            narrowed = narrow(guard, focus)
            (failed if narrowed is None else held).append(guard)
            focus = narrowed or focus
        return Matching(held=tuple(held), failed=tuple(failed), groups=focus.groups)

    def group_names(self) -> tuple[str, ...]:
        """The groups that templates may use: all of a single pattern, the named ones where there are several."""
        patterns = [re.compile(str(guard.value)) for guard in self.guards if guard.name in PATTERN_GUARDS]
        numbered = [str(n) for n in range(1 + patterns[0].groups)] if len(patterns) == 1 else []
        return (*numbered, *(name for pattern in patterns for name in pattern.groupindex))


@dataclass(frozen=True, kw_only=True)
class Call:
    """A tool call that the model makes; every text in the arguments is a template."""

    tool: str
    arguments: Mapping[str, Json]
    path: str
    line: int


@dataclass(frozen=True, kw_only=True)
class Transition:
    """What the model answers where the guards hold, and the state that it goes to.

    `reply` is a template, empty where nothing is said; `state` and `number` (from 1) are the transition's own place.
    """

    state: str
    number: int
    when: When
    reply: str
    calls: tuple[Call, ...]
    finish: FinishReason
    to: str
    path: str
    line: int


@dataclass(frozen=True, kw_only=True)
class State:
    """A state, with what it is for in a person's words."""

    name: str
    says: str
    transitions: tuple[Transition, ...]
    path: str
    line: int


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A machine: its states by name, in the order of the file."""

    name: str
    start: str
    states: Mapping[str, State]
    path: str
    line: int

    def transitions(self) -> tuple[Transition, ...]:
        """All transitions, in the order of the file."""
        return tuple(transition for state in self.states.values() for transition in state.transitions)


def unreachable(machine: Machine) -> tuple[State, ...]:
    """The states that no chain of transitions leads to from the start, in the order of the file."""
    reached = {machine.start}
    front = [machine.start]
    while front:
        following = {transition.to for transition in machine.states[front.pop()].transitions} - reached
        reached |= following
        front += sorted(following)
    return tuple(state for state in machine.states.values() if state.name not in reached)


def unused(machine: Machine, taken: Iterable[Transition]) -> tuple[Transition, ...]:
    """The transitions that are not among those taken, in the order of the file."""
    used = {(transition.state, transition.number) for transition in taken}
    return tuple(t for t in machine.transitions() if (t.state, t.number) not in used)
