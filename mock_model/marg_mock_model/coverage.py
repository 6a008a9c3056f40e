"""What of a machine was used: its states, transitions and slips, over any number of conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from marg_mock_model.answer import Answer
from marg_mock_model.machine import Machine, State, Transition, unreachable
from marg_mock_model.player import MockModel
from marg_mock_model.slip import Slip


@dataclass(kw_only=True)
class Coverage:
    """How often each transition was taken and each slip happened; keyed by the line of the file, in its order."""

    machine: Machine
    _taken: Counter[tuple[str, int]] = field(default_factory=Counter)
    _slips: Counter[int] = field(default_factory=Counter)

    def answered(self, answer: Answer) -> None:
        """Count one answer of the machine's."""
        self._taken[answer.transition.state, answer.transition.number] += 1
        if answer.slip is not None:
            self._slips[answer.slip.number] += 1

    def count(self, *, transitions: Iterable[Transition], slips: Iterable[Slip] = ()) -> None:
        """Count transitions that were taken and slips that happened."""
        self._taken.update((transition.state, transition.number) for transition in transitions)
        self._slips.update(slip.number for slip in slips)

    def add(self, other: Coverage) -> None:
        """Count what another coverage of the same machine counted."""
        self._taken += other._taken
        self._slips += other._slips

    def times(self, transition: Transition) -> int:
        """How often a transition was taken."""
        return self._taken[transition.state, transition.number]

    def unused_transitions(self) -> tuple[Transition, ...]:
        """The transitions that were never taken."""
        return tuple(transition for transition in self.machine.transitions() if not self.times(transition))

    def unused_states(self) -> tuple[State, ...]:
        """The states that no conversation was ever in: the start is one as soon as there was a conversation."""
        entered = {self.machine.start} if self._taken else set()
        entered |= {transition.to for transition in self.machine.transitions() if self.times(transition)}
        return tuple(state for state in self.machine.states.values() if state.name not in entered)

    def unused_slips(self) -> tuple[Slip, ...]:
        """The slips that never happened."""
        return tuple(slip for slip in self.machine.slips if not self._slips[slip.number])

    def record(self) -> dict[str, Any]:
        """The coverage as JSON: counts, and what was not used by name and line."""
        transitions, slips = self.machine.transitions(), self.machine.slips
        return {
            "machine": self.machine.name,
            "states": {"all": len(self.machine.states), "used": len(self.machine.states) - len(self.unused_states())},
            "transitions": {"all": len(transitions), "used": len(transitions) - len(self.unused_transitions())},
            "slips": {"all": len(slips), "used": len(slips) - len(self.unused_slips())},
            "unused_states": [{"state": state.name, "line": state.line} for state in self.unused_states()],
            "unused_transitions": [{"state": t.state, "line": t.line} for t in self.unused_transitions()],
            "unused_slips": [{"slip": slip.kind, "line": slip.line} for slip in self.unused_slips()],
            "unreachable_states": [{"state": s.name, "line": s.line} for s in unreachable(self.machine)],
        }


def coverage_of(machine: Machine, players: Iterable[MockModel] = ()) -> Coverage:
    """What these conversations used of their machine."""
    coverage = Coverage(machine=machine)
    for player in players:
        coverage.count(transitions=player.taken, slips=player.slips)
    return coverage
