"""A slice of a level: some of its nodes, with all that follows from each until the next act."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from marg_runtime.evolve import evolve
from marg_runtime.explore.likeness import Key, Likeness
from marg_runtime.explore.move import Move, Trail
from marg_runtime.explore.node import Node
from marg_runtime.explore.play import Play, Played
from marg_runtime.explore.tally import Counting, Tally
from marg_runtime.explore.violation import Violation


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A node with its key."""

    key: Key
    node: Node


@dataclass(frozen=True, kw_only=True)
class Rested:
    """A node that an act led to and at which the next one can be made. `start` is the place in the level of the node
    where the act was made; moves: those since then, and the node has no path of its own, so that little is sent."""

    start: int
    moves: tuple[Move, ...]
    kept: Kept


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A rule that a move broke, at the node of a key."""

    start: int
    moves: tuple[Move, ...]
    key: Key
    violation: Violation


@dataclass(kw_only=True)
class Part:
    """What a slice came to: each node that was played from with its tally, the nodes at rest, the broken rules."""

    played: dict[Key, Tally] = field(default_factory=dict)
    rested: list[Rested] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)


@dataclass(kw_only=True)
class Slicer:
    """Plays from the nodes of a slice. `seen` holds the keys that need not be played from again; it grows.

    Two nodes of one key have the same futures, so what two slices count for one key is the same, and one of the two
    counts is left out where they are put together. So the result does not depend on how a level is sliced.
    """

    play: Play
    likeness: Likeness
    seen: set[Key]
    until_found: bool = False
    on_node: Callable[[int], None] = lambda start: None
    _tallies: dict[Tally, Tally] = field(default_factory=dict)

    def run(self, level: list[Kept], starts: Iterable[int]) -> Part:
        """All that follows from the nodes of these places in a level; they come in their order."""
        part = Part()
        for start in starts:
            self.on_node(start)
            origin = level[start].node.trail
            waiting = deque([level[start]])
            while waiting and not (self.until_found and part.broken):
                waiting.extend(self._from(waiting.popleft(), start=start, origin=origin, part=part))
        return part

    def _from(self, kept: Kept, *, start: int, origin: Trail | None, part: Part) -> list[Kept]:
        """Play every move at a node; gives the new nodes at which something still runs."""
        counting = Counting(write=self.play.world.domain.write_tool.name)
        running: list[Kept] = []
        for played in self.play.moves(kept.node):
            counting.take(played, before=kept.node.trail)
            if played.violations:
                moves = _since(origin, played.node.trail)
                part.broken.extend(
                    Broken(start=start, moves=moves, key=kept.key, violation=one) for one in played.violations
                )
            elif (new := self._new(played)) is None:
                continue
            elif played.node.rests:
                moves = _since(origin, played.node.trail)
                bare = Kept(key=new.key, node=evolve(new.node, trail=None))
                part.rested.append(Rested(start=start, moves=moves, kept=bare))
            else:
                running.append(new)
        tally = counting.tally()
        part.played[kept.key] = self._tallies.setdefault(tally, tally)
        return running

    def _new(self, played: Played) -> Kept | None:
        before, key = len(self.seen), self.likeness.key(played.node)
        self.seen.add(key)
        return Kept(key=key, node=played.node) if len(self.seen) > before else None


def _since(origin: Trail | None, trail: Trail | None) -> tuple[Move, ...]:
    """The moves of a path behind its beginning."""
    moves: list[Move] = []
    while trail is not None and trail is not origin:
        moves.append(trail.move)
        trail = trail.before
    return tuple(reversed(moves))


def onto(origin: Trail | None, moves: Iterable[Move]) -> Trail | None:
    """A path that goes on with these moves."""
    for move in moves:
        origin = Trail(move=move, before=origin)
    return origin
