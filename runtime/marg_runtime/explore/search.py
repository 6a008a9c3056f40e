"""The search: breadth first over acts, every state once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from marg_runtime.evolve import evolve
from marg_runtime.explore.forks import can_fork, in_slices
from marg_runtime.explore.likeness import Key, Likeness
from marg_runtime.explore.node import Node
from marg_runtime.explore.play import Play
from marg_runtime.explore.record import Decisions, Exploration, Found
from marg_runtime.explore.slice import Broken, Kept, Part, Slicer, onto
from marg_runtime.explore.tally import Tally
from marg_runtime.uncollected import uncollected

OnLevel = Callable[[int, int, int], None]

WORTH_A_FORK = 32  # nodes of a level; a fork costs about as much as playing from one of them
EVERY = 16  # nodes of a level: progress is told once for so many


@dataclass(kw_only=True)
class Search:
    """One exploration, in `jobs` processes.

    on_progress: is told the depth, the states waiting at it, and the transitions of the depths before.
    """

    play: Play
    likeness: Likeness
    jobs: int = 1
    until_found: bool = False
    on_progress: OnLevel | None = None
    _seen: set[Key] = field(default_factory=set)
    _tallies: Counter[Tally] = field(default_factory=Counter)
    _found: dict[str, Found] = field(default_factory=dict)
    _at_rest: int = 0

    def run(self, roots: Sequence[Node], *, depth: int) -> Exploration:
        """Everything within so many acts of the roots."""
        level = self._first(roots)
        reached = 0
        # It keeps all that it makes, and none of it refers to itself.
        with uncollected():
            while level and reached < depth and not (self.until_found and self._found):
                reached += 1
                level = self._next(level, reached)
        return self._exploration(depth=depth, roots=len(roots), complete=not level)

    def _first(self, roots: Sequence[Node]) -> list[Kept]:
        by_key: dict[Key, Kept] = {}
        for root in roots:
            kept = Kept(key=self.likeness.key(root), node=root)
            by_key.setdefault(kept.key, kept)
        self._seen.update(by_key)
        self._at_rest = len(by_key)
        return list(by_key.values())

    def _next(self, level: list[Kept], depth: int) -> list[Kept]:
        """The states at rest, not seen before, that one act leads to."""

        def explore(starts: Iterable[int]) -> Part:
            slicer = Slicer(play=self.play, likeness=self.likeness, seen=self._seen, until_found=self.until_found)
            slicer.on_node = self._progress(depth, len(level))
            return slicer.run(level, starts)

        # To stop at the first violation is to stop at the first in the order of the level.
        alone = self.jobs == 1 or self.until_found or len(level) < WORTH_A_FORK or not can_fork()
        parts = [explore(range(len(level)))] if alone else in_slices(explore, places=len(level), jobs=self.jobs)
        return self._together(level, parts, depth=depth)

    def _progress(self, depth: int, places: int) -> Callable[[int], None]:
        def tell(start: int) -> None:
            if self.on_progress is not None and start % EVERY == 0:
                self.on_progress(depth, places - start, self._count("transitions"))

        return tell

    def _together(self, level: list[Kept], parts: Sequence[Part], *, depth: int) -> list[Kept]:
        """Put slices together as if they had been one: what two of them met, the one that comes first met."""
        played: dict[Key, Tally] = {}
        for part in parts:
            played.update(part.played)
        self._tallies.update(played.values())
        self._seen.update(played)
        rested: dict[Key, Kept] = {}
        for one in sorted((one for part in parts for one in part.rested), key=lambda one: one.start):
            if one.kept.key not in rested:
                trail = onto(level[one.start].node.trail, one.moves)
                rested[one.kept.key] = replace(one.kept, node=evolve(one.kept.node, trail=trail))
        self._seen.update(rested)
        self._at_rest += len(rested)
        self._note(level, [one for part in parts for one in part.broken], depth=depth)
        return list(rested.values())

    def _note(self, level: list[Kept], broken: list[Broken], *, depth: int) -> None:
        first: dict[Key, int] = {}
        for one in sorted(broken, key=lambda one: one.start):
            # A node that two slices met is counted where it was met first.
            if first.setdefault(one.key, one.start) != one.start:
                continue
            known = self._found.get(one.violation.rule)
            if known is not None:
                self._found[one.violation.rule] = replace(known, times=known.times + 1)
                continue
            trail = onto(level[one.start].node.trail, one.moves)
            moves = trail.moves() if trail else ()
            clients = tuple(node.client for node in self.play.retrace(moves))
            self._found[one.violation.rule] = Found(
                violation=one.violation, moves=moves, clients=clients, acts=depth, times=1
            )

    def _count(self, name: str) -> int:
        return sum(dict(tally.counts).get(name, 0) * times for tally, times in self._tallies.items())

    def _alphabet(self) -> dict[str, int]:
        letters: Counter[str] = Counter()
        for tally, times in self._tallies.items():
            for letter, count in tally.alphabet:
                letters[letter] += count * times
        return dict(sorted(letters.items()))

    def _exploration(self, *, depth: int, roots: int, complete: bool) -> Exploration:
        decisions = Decisions(
            go_ahead_allowed=self._count("go_ahead_allowed"),
            go_ahead_refused=self._count("go_ahead_refused"),
            model_call_allowed=self._count("model_call_allowed"),
            model_call_refused=self._count("model_call_refused"),
            reads=self._count("reads"),
        )
        return Exploration(
            depth=depth,
            roots=roots,
            transitions=self._count("transitions"),
            states=len(self._seen),
            at_rest=self._at_rest,
            model_requests=self._count("model_requests"),
            offered=self._count("offered"),
            writes=self._count("writes"),
            decisions=decisions,
            alphabet=self._alphabet(),
            found=tuple(self._found[rule] for rule in sorted(self._found)),
            complete=complete,
        )
