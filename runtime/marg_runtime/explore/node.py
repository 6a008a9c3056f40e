"""A node of an exploration: a session's state, its client, what the oracle knows, and what is still to be run."""

from __future__ import annotations

from dataclasses import dataclass

from marg_runtime.effects import Effect
from marg_runtime.events.write import WriteDone, WriteUnknown
from marg_runtime.explore.client import Client
from marg_runtime.explore.memory import Memory
from marg_runtime.explore.move import Trail
from marg_runtime.ledger import Entry
from marg_runtime.state import State


@dataclass(frozen=True, kw_only=True)
class Node:
    """effects: what is still to be run in this turn. turn: the turn's entries so far. mood: how the model goes on.

    drifted: the write tool is another one than when the session opened. reopened: the session was opened anew since
    the last act. waited: the summary's time to live has passed. latecomer: an act was queued while this turn ran.
    """

    state: State
    client: Client
    memory: Memory
    trail: Trail | None = None
    effects: tuple[Effect, ...] = ()
    turn: tuple[Entry, ...] = ()
    mood: str = "free"
    running: bool = False
    drifted: bool = False
    latecomer: bool = False
    waited: bool = False

    @property
    def wrote(self) -> bool:
        """Nothing is left to be run of a turn that has written, or tried to."""
        return not self.effects and any(isinstance(entry.event, WriteDone | WriteUnknown) for entry in self.turn)

    @property
    def rests(self) -> bool:
        """Nothing is running and nothing waits: the next thing to happen is an act."""
        return not self.running and not self.state.queue
