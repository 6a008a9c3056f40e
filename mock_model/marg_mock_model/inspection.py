"""What there is to say about a machine without playing it: what is never reached, what will be undeclared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from marg_mock_model.machine import Machine, State, Transition, unreachable
from marg_mock_model.slip import Slip

Severity = Literal["warning", "note"]

NEEDS_WORDS_OR_FACTS = frozenset({"user", "user_matches", "facts", "fact_matches"})
CHANGES_CALLS = frozenset({"wrong_tool", "overrides_value", "bad_arguments"})


@dataclass(frozen=True, kw_only=True)
class Remark:
    """One thing to say, at its line of the file."""

    severity: Severity
    line: int
    message: str


def inspect_machine(machine: Machine) -> tuple[Remark, ...]:
    """The remarks on a machine, in the order of the file."""
    remarks = [*_unreachable(machine), *_shadowed(machine), *_unheard(machine), *_stuck(machine), *_idle_slips(machine)]
    return tuple(sorted(remarks, key=lambda remark: (remark.line, remark.message)))


def _unreachable(machine: Machine) -> Iterator[Remark]:
    for state in unreachable(machine):
        message = f"no chain of transitions leads from {machine.start!r} to the state {state.name!r}; remove it"
        yield Remark(severity="warning", line=state.line, message=message)


def _shadowed(machine: Machine) -> Iterator[Remark]:
    """Transitions that are never taken, because an earlier one holds wherever they do."""
    for state in machine.states.values():
        for number, later in enumerate(state.transitions):
            earlier = next((t for t in state.transitions[:number] if _guards(t) <= _guards(later)), None)
            if earlier is not None:
                message = f"never taken: the transition at line {earlier.line} holds wherever this one does; move it up"
                yield Remark(severity="warning", line=later.line, message=message)


def _guards(transition: Transition) -> frozenset[tuple[str, object]]:
    return frozenset((guard.name, guard.value) for guard in transition.when.guards)


def _unheard(machine: Machine) -> Iterator[Remark]:
    """Transitions with calls into a state that takes no results: the next request is bound to be undeclared."""
    for transition in machine.transitions():
        if transition.calls and not any(_takes_results(t) for t in machine.states[transition.to].transitions):
            message = f"it calls {transition.calls[0].tool!r}, and no transition of {transition.to!r} takes a result"
            yield Remark(severity="warning", line=transition.line, message=message)


def _takes_results(transition: Transition) -> bool:
    """Whether a transition could be taken where nothing but results is new."""
    guards = transition.when.guards
    wants_other = any(guard.name == "last" and guard.value != "results" for guard in guards)
    return not wants_other and not any(guard.name in NEEDS_WORDS_OR_FACTS for guard in guards)


def _stuck(machine: Machine) -> Iterator[Remark]:
    for state in machine.states.values():
        ends = not state.transitions
        if not ends and len(machine.states) > 1 and {transition.to for transition in state.transitions} == {state.name}:
            yield Remark(severity="note", line=state.line, message=f"nothing leads out of the state {state.name!r}")


def _idle_slips(machine: Machine) -> Iterator[Remark]:
    for slip in machine.slips:
        if slip.rate == 0:
            yield Remark(severity="note", line=slip.line, message=f"the slip {slip.kind!r} has the rate 0")
        elif slip.kind in CHANGES_CALLS and not _finds_calls(machine, slip):
            message = f"the slip {slip.kind!r} finds no call to change in its states"
            yield Remark(severity="warning", line=slip.line, message=message)


def _finds_calls(machine: Machine, slip: Slip) -> bool:
    states: list[State] = [machine.states[name] for name in slip.states or machine.states]
    tools = {call.tool for state in states for transition in state.transitions for call in transition.calls}
    # The tool of a wrong_tool is the one that it calls instead.
    return bool(tools if slip.tool is None or slip.kind == "wrong_tool" else tools & {slip.tool})
