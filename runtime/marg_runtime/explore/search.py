"""The search: breadth first over acts, every state once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from marg_runtime.effects import CallModel
from marg_runtime.events.model import ToolCalled
from marg_runtime.events.write import GateDecided, WriteClaimed
from marg_runtime.explore.judge_turns import BUILT_IN
from marg_runtime.explore.likeness import Key, Likeness
from marg_runtime.explore.node import Node
from marg_runtime.explore.play import Play, Played
from marg_runtime.explore.record import Decisions, Exploration, Found

OnLevel = Callable[[int, int, int], None]


@dataclass(kw_only=True)
class Search:
    """One exploration. `on_progress` is told the depth, the states waiting at it and the transitions so far."""

    play: Play
    likeness: Likeness
    until_found: bool = False
    on_progress: OnLevel | None = None
    _seen: set[Key] = field(default_factory=set)
    _alphabet: Counter[str] = field(default_factory=Counter)
    _counts: Counter[str] = field(default_factory=Counter)
    _found: dict[str, Found] = field(default_factory=dict)

    def run(self, roots: Sequence[Node], *, depth: int) -> Exploration:
        """Everything within so many acts of the roots."""
        level = [root for root in roots if self._is_new(root)]
        reached = 0
        while level and reached < depth and not (self.until_found and self._found):
            reached += 1
            level = self._next(level, reached)
        return self._exploration(depth=depth, roots=len(roots), complete=not level)

    def _next(self, level: list[Node], depth: int) -> list[Node]:
        """The states at rest, not seen before, that one act leads to."""
        rested: list[Node] = []
        for number, node in enumerate(level):
            if self.on_progress is not None and number % 16 == 0:
                self.on_progress(depth, len(level) - number, self._counts["transitions"])
            waiting = deque([node])
            while waiting and not (self.until_found and self._found):
                parent = waiting.popleft()
                for played in self.play.moves(parent):
                    self._count(played, parent)
                    if played.violations:
                        self._note(played, depth)
                    elif self._is_new(played.node):
                        (rested if played.node.rests else waiting).append(played.node)
        return rested

    def _is_new(self, node: Node) -> bool:
        key = self.likeness.key(node)
        if key in self._seen:
            return False
        self._seen.add(key)
        self._counts["at_rest"] += node.rests
        return True

    def _count(self, played: Played, before: Node) -> None:
        counts = self._counts
        counts["transitions"] += played.decided
        trail = played.node.trail
        if trail is not None and trail is not before.trail:
            self._alphabet[trail.move.name] += 1
        for effect in played.node.effects:
            if isinstance(effect, CallModel):
                counts["model_requests"] += 1
                write = self.play.world.domain.write_tool.name
                counts["offered"] += any(tool.name.endswith(write) for tool in effect.request.tools)
        for entry in played.entries:
            self._count_event(entry.event)

    def _count_event(self, event: object) -> None:
        if isinstance(event, GateDecided):
            self._counts[f"{event.trigger}_{'allowed' if event.allowed else 'refused'}"] += 1
        elif isinstance(event, WriteClaimed):
            self._counts["writes"] += 1
        elif isinstance(event, ToolCalled) and event.by == "model" and event.tool.server != BUILT_IN:
            self._counts["reads"] += 1

    def _note(self, played: Played, depth: int) -> None:
        trail = played.node.trail
        for violation in played.violations:
            first = self._found.get(violation.rule)
            if first is not None:
                self._found[violation.rule] = replace(first, times=first.times + 1)
                continue
            moves = trail.moves() if trail else ()
            clients = tuple(node.client for node in self.play.retrace(moves))
            found = Found(violation=violation, moves=moves, clients=clients, acts=depth, times=1)
            self._found[violation.rule] = found

    def _exploration(self, *, depth: int, roots: int, complete: bool) -> Exploration:
        counts = self._counts
        decisions = Decisions(
            go_ahead_allowed=counts["go_ahead_allowed"],
            go_ahead_refused=counts["go_ahead_refused"],
            model_call_allowed=counts["model_call_allowed"],
            model_call_refused=counts["model_call_refused"],
            reads=counts["reads"],
        )
        return Exploration(
            depth=depth,
            roots=roots,
            transitions=counts["transitions"],
            states=len(self._seen),
            at_rest=counts["at_rest"],
            model_requests=counts["model_requests"],
            offered=counts["offered"],
            writes=counts["writes"],
            decisions=decisions,
            alphabet=dict(sorted(self._alphabet.items())),
            found=tuple(self._found[rule] for rule in sorted(self._found)),
            complete=complete,
        )
