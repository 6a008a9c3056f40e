"""What the moves at one node come to: how often `decide` was asked, what the gate decided, which letters were played.

Counts are kept by node, so that what two processes both came to is counted once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from marg_runtime.effects import CallModel
from marg_runtime.events.model import ToolCalled
from marg_runtime.events.write import GateDecided, WriteClaimed
from marg_runtime.explore.judge_turns import BUILT_IN
from marg_runtime.explore.move import Trail
from marg_runtime.explore.play import Played

Counts = tuple[tuple[str, int], ...]


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Counts by name, and letters of the alphabet by name; equal tallies of different nodes are kept once."""

    counts: Counts
    alphabet: Counts


@dataclass(kw_only=True)
class Counting:
    """A tally in the making. write: the name of the tool that writes."""

    write: str
    counts: Counter[str] = field(default_factory=Counter)
    alphabet: Counter[str] = field(default_factory=Counter)

    def take(self, played: Played, *, before: Trail | None) -> None:
        """Count one move, made where the path was `before`."""
        self.counts["transitions"] += played.decided
        trail = played.node.trail
        if trail is not None and trail is not before:
            self.alphabet[trail.move.name] += 1
        for effect in played.node.effects:
            if isinstance(effect, CallModel):
                self.counts["model_requests"] += 1
                self.counts["offered"] += any(tool.name.endswith(self.write) for tool in effect.request.tools)
        for entry in played.entries:
            self._take_event(entry.event)

    def _take_event(self, event: object) -> None:
        if isinstance(event, GateDecided):
            self.counts[f"{event.trigger}_{'allowed' if event.allowed else 'refused'}"] += 1
        elif isinstance(event, WriteClaimed):
            self.counts["writes"] += 1
        elif isinstance(event, ToolCalled) and event.by == "model" and event.tool.server != BUILT_IN:
            self.counts["reads"] += 1

    def tally(self) -> Tally:
        """The counts so far."""
        return Tally(counts=tuple(self.counts.items()), alphabet=tuple(self.alphabet.items()))
