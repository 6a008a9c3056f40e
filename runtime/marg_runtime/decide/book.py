"""The book that a decision is written in: events and effects so far, and the state as those events make it."""

from __future__ import annotations

from dataclasses import dataclass, field

from marg_runtime.domain import Domain
from marg_runtime.effects import Effect
from marg_runtime.events.event import Event
from marg_runtime.events.turn import FormSubmitted, LineSaid, PickerSearched, Reloaded, UserSaid, UserTapped
from marg_runtime.fold import apply
from marg_runtime.ledger import Entry
from marg_runtime.state import State
from marg_runtime.surroundings import Surroundings

_TURN_BEGINS = (UserSaid, UserTapped, FormSubmitted, PickerSearched, Reloaded)


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What is to be appended, in order, and what is to be run after that, in order.

    entries, state: the events in their places and the state after them, where nothing is appended in between.
    """

    events: tuple[Event, ...]
    effects: tuple[Effect, ...]
    entries: tuple[Entry, ...] = field(compare=False, repr=False)
    state: State = field(compare=False, repr=False)


def place(state: State, event: Event, *, at: int) -> Entry:
    """The entry of an event that is appended to a ledger of this state."""
    turn = state.turn + 1 if isinstance(event, _TURN_BEGINS) else state.turn
    return Entry(revision=state.revision + 1, turn=turn, at=at, event=event)


class Book:
    """A decision in the making.

    Revisions here are provisional, since an act may be queued in between; so no event keeps one. `at` is the time of
    the act that is served; by default that of the last entry.
    """

    def __init__(self, *, surroundings: Surroundings, state: State, at: int | None = None) -> None:
        self.surroundings = surroundings
        self.state = state
        self.entries: list[Entry] = []
        self._at = state.at if at is None else at
        self.effects: list[Effect] = []

    @property
    def domain(self) -> Domain:
        """The domain of the session."""
        return self.surroundings.domain

    @property
    def events(self) -> list[Event]:
        """What has been written down so far."""
        return [entry.event for entry in self.entries]

    def emit(self, event: Event) -> None:
        """Write an event down and let the state follow."""
        self.entries.append(place(self.state, event, at=self._at))
        self.state = apply(self.state, self.entries[-1])

    def say(self, line: str, **values: str) -> None:
        """Say a line of the runtime's own; `{name}` in it is replaced by the value of that name."""
        for name, value in values.items():
            line = line.replace("{" + name + "}", value)
        self.emit(LineSaid(text=line))

    def run(self, effect: Effect) -> None:
        """Ask for an effect, after those already asked for."""
        self.effects.append(effect)

    def decision(self) -> Decision:
        """What was written."""
        return Decision(
            events=tuple(self.events),
            effects=tuple(self.effects),
            entries=tuple(self.entries),
            state=self.state,
        )
