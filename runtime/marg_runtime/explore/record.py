"""What an exploration found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from marg_runtime.explore.client import Client
from marg_runtime.explore.move import Move
from marg_runtime.explore.violation import Violation


@dataclass(frozen=True, kw_only=True)
class Found:
    """A violation, the shortest path to it that there is in acts, and how often its rule was broken in all.

    clients: the client before each of the moves.
    """

    violation: Violation
    moves: tuple[Move, ...]
    clients: tuple[Client, ...]
    acts: int
    times: int


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """What the gate decided, by who asked: a person's go-ahead, or a call of the model's.

    reads: the model's calls of tools that are listed as reading, which are let through.
    """

    go_ahead_allowed: int = 0
    go_ahead_refused: int = 0
    model_call_allowed: int = 0
    model_call_refused: int = 0
    reads: int = 0


@dataclass(frozen=True, kw_only=True)
class Exploration:
    """The whole of it.

    depth: acts on every path, counted from a root. roots: where the paths begin. transitions: decisions of `decide`.
    states: different ones, at_rest: those in which nothing runs. model_requests, offered: requests to the model, and
    those that offered it the write. writes: claims of a write. alphabet: how often each letter was played.
    complete: nothing was left at that depth, for no state was new.
    """

    depth: int
    roots: int
    transitions: int
    states: int
    at_rest: int
    model_requests: int
    offered: int
    writes: int
    decisions: Decisions
    alphabet: Mapping[str, int]
    found: tuple[Found, ...]
    complete: bool

    @property
    def violations(self) -> int:
        """How often a rule was broken, over all paths."""
        return sum(found.times for found in self.found)
