"""A move: one thing that the person, the model, a tool, the worker or the world does on a path through the states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from marg_runtime.acts import Act
from marg_runtime.conversation import ModelCall

Who = Literal["person", "model", "tool", "options", "write", "worker", "world"]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A whole reply of the model's, or one that breaks off after its text."""

    text: str = ""
    calls: tuple[ModelCall, ...] = ()
    broken: bool = False


@dataclass(frozen=True, kw_only=True)
class Move:
    """Who does what. `letter` is the class of the alphabet that it is counted under, `detail` says it in full.

    act, second: the person's act, and the one queued with it. late: the act is queued while the turn still runs.
    reply: the model's. tool: the one that it is about. What a tool, a write or the world does is told by the letter.
    """

    who: Who
    letter: str
    detail: str = ""
    act: Act | None = None
    second: Act | None = None
    late: bool = False
    reply: Reply | None = None
    tool: str | None = None

    @property
    def name(self) -> str:
        """The letter with whose it is, as the alphabet is printed."""
        return f"{self.who}: {self.letter}"


@dataclass(frozen=True, kw_only=True)
class Trail:
    """A path, as a list that shares its beginning with other paths."""

    move: Move
    before: Trail | None

    def moves(self) -> tuple[Move, ...]:
        """The moves from the start."""
        found: list[Move] = []
        trail: Trail | None = self
        while trail is not None:
            found.append(trail.move)
            trail = trail.before
        return tuple(reversed(found))
