"""Finds the longest phrase at a place, over all patterns of a dialect at once.

The states are sets of graph nodes, made when they are first met and kept; a reply of any length is read with one
look-up a unit. Units that no pattern names are never kept, so a stranger's text cannot grow the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from marg_runtime.reading.patterns import NOUN_SLOT, VALUE_SLOT, VERB_SLOT, Graph, PatternCompiler, Spell

# What the question makes of a unit, as bits that may be joined.
NOUN, VERB, VALUE = 1, 2, 4
_SLOT_OF_BIT = ((NOUN, NOUN_SLOT), (VERB, VERB_SLOT), (VALUE, VALUE_SLOT))
_DEAD = -1


@dataclass(frozen=True, slots=True)
class Match:
    """The longest match at a place: the role of its pattern and how many units it covers."""

    role: str
    length: int


class Automaton:
    """All patterns of a dialect. What was added earlier wins where two patterns cover the same units."""

    def __init__(self, *, lists: Mapping[str, Sequence[str]], spell: Spell) -> None:
        self._graph = Graph()
        self._compiler = PatternCompiler(graph=self._graph, lists=lists, spell=spell)
        self._start = self._graph.new()
        self._roles: list[str] = []
        self._rank_of_node: dict[int, int] = {}
        self._reached: dict[int, frozenset[int]] = {}
        self._indexes: dict[int, dict[str, list[int]]] = {}
        self._numbers: dict[frozenset[int], int] = {}
        self._members: list[frozenset[int]] = []
        self._moves: list[dict[str | tuple[str, int], int]] = []
        self._accepts: list[str | None] = []
        self._growing = Lock()  # graph and tables grow while replies are read, in whatever thread

    @property
    def words(self) -> AbstractSet[str]:
        """Every unit that a pattern names."""
        return self._graph.words

    def can_start(self, unit: str) -> bool:
        """Whether some pattern begins with a unit, slots aside."""
        return unit in self._starts

    @cached_property
    def _starts(self) -> frozenset[str]:
        with self._growing:
            nodes = self._graph.closure({self._start})
            return frozenset(unit for node in nodes for unit in self._graph.edges[node])

    def add(self, role: str, patterns: Iterable[str]) -> None:
        """Add patterns of a role. Raises ReadingError for a pattern that does not hold together."""
        if not self._roles or self._roles[-1] != role:
            self._roles.append(role)
        rank = len(self._roles) - 1
        for pattern in patterns:
            end = self._compiler.compile(pattern, self._start)
            self._rank_of_node[end] = min(rank, self._rank_of_node.get(end, rank))

    def longest(self, units: Sequence[str], bits: Sequence[int], at: int) -> Match | None:
        """Return the longest match that begins at a place, or None.

        `bits` says of each unit what the question makes of it; empty where there is no question.
        """
        state = 0 if self._accepts else self._begin()
        best: str | None = None
        length = 0
        moves, words = self._moves, self._graph.words
        for here in range(at, len(units)):
            unit = units[here]
            bit = bits[here] if bits else 0
            key = unit if not bit else (unit if unit in words else "", bit)
            found = moves[state].get(key)
            state = self._step(state, unit, bit, key) if found is None else found
            if state == _DEAD:
                break
            role = self._accepts[state]
            if role is not None:
                best, length = role, here - at + 1
        return None if best is None else Match(best, length)

    def _begin(self) -> int:
        """Make the first state, which is numbered 0."""
        with self._growing:
            return self._state(frozenset({self._start}))

    def _step(self, state: int, unit: str, bit: int, key: str | tuple[str, int]) -> int:
        """Make and keep the state that a unit leads to; a unit that nobody names is not kept."""
        known = unit in self._graph.words
        if not known and not bit:
            return _DEAD
        labels = [unit] if known else []
        labels += [slot for flag, slot in _SLOT_OF_BIT if bit & flag]
        with self._growing:
            index = self._index_of(state)
            nodes = [node for label in labels for node in index.get(label, ())]
            number = self._state(frozenset(nodes)) if nodes else _DEAD
            self._moves[state][key] = number
        return number

    def _index_of(self, state: int) -> dict[str, list[int]]:
        """Return where each unit leads from a state, gathered over its nodes once."""
        index = self._indexes.get(state)
        if index is None:
            index = {}
            for node in self._members[state]:
                for unit, ends in self._graph.edges[node].items():
                    index.setdefault(unit, []).extend(ends)
            self._indexes[state] = index
        return index

    def _state(self, nodes: frozenset[int]) -> int:
        members = frozenset[int]().union(*map(self._reach, nodes))
        number = self._numbers.get(members)
        if number is None:
            number = len(self._members)
            self._numbers[members] = number
            self._members.append(members)
            self._moves.append({})
            ranks = [self._rank_of_node[node] for node in members if node in self._rank_of_node]
            self._accepts.append(self._roles[min(ranks)] if ranks else None)
        return number

    def _reach(self, node: int) -> frozenset[int]:
        """Return the nodes that a node reaches without reading, but for those that neither read on nor end a phrase."""
        found = self._reached.get(node)
        if found is None:
            reached = self._graph.closure({node})
            found = frozenset(n for n in reached if self._graph.edges[n] or n in self._rank_of_node)
            self._reached[node] = found
        return found
