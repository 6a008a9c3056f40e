"""The mock machine: declared states, and what the model answers in each. Made by `marg_mock_model.file`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from marg_mock_model.script import Call
from marg_mock_model.slip import Slip
from marg_mock_model.when import When
from marg_runtime.canonical import Json
from marg_runtime.model import FinishReason


@dataclass(frozen=True, kw_only=True)
class UsageFigures:
    """Tokens that a reply is said to have cost."""

    input: int
    output: int


@dataclass(frozen=True, kw_only=True)
class Transition:
    """What the model answers where the guards hold, and the state that it goes to.

    `reply` is a template, empty where nothing is said; `data` is what is said as JSON instead of it, None where it is
    not. `usage` is None where the tokens are counted. `state` and `number` (from 1) are the transition's own place.
    """

    state: str
    number: int
    when: When
    reply: str
    data: Json
    usage: UsageFigures | None
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
    slips: tuple[Slip, ...]
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
