"""What the patterns of a dialect cover, computed and not guessed: the set construction of a finite automaton.

The patterns of a dialect are one graph. Walking it with sets of nodes visits every sequence of words that any pattern
reads, up to sequences that lead to the same place. Where such a place ends several patterns, they read the same words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from marg_corpora.vocabulary.entry import Entry, pattern_entries, speller_of
from marg_runtime.errors import UsageError
from marg_runtime.reading.patterns import Graph, PatternCompiler
from marg_runtime.reading.vocabulary import Vocabulary

MOST_PLACES = 200_000
"""Places visited before the walk gives up; the shipped vocabularies need about 2,300."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Patterns that read the same words, in order of the file, and one shortest example of such words."""

    entries: tuple[Entry, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Net:
    """The patterns of one dialect as a graph: where it starts, and which entries end at a node."""

    graph: Graph
    start: int
    ends: Mapping[int, tuple[Entry, ...]]
    closed: dict[frozenset[int], frozenset[int]] = field(default_factory=dict, repr=False)

    def entries_at(self, nodes: frozenset[int]) -> tuple[Entry, ...]:
        """Name the entries that end at one of the nodes, in order of the file."""
        return tuple(entry for node in sorted(nodes) for entry in self.ends.get(node, ()))

    def first(self) -> frozenset[int]:
        """Give the nodes from which every pattern begins."""
        return self._closed(frozenset({self.start}))

    def step(self, nodes: frozenset[int], units: Sequence[str]) -> frozenset[int]:
        """Give the nodes that one word leads to; `units` are the word and the slots that it may fill."""
        edges = self.graph.edges
        found = frozenset(t for node in nodes for unit in units for t in edges[node].get(unit, ()))
        return self._closed(found)

    def moves(self, nodes: frozenset[int]) -> dict[str, frozenset[int]]:
        """Give the nodes that each word and each slot leads to."""
        targets: dict[str, set[int]] = {}
        for node in nodes:
            for unit, ends in self.graph.edges[node].items():
                targets.setdefault(unit, set()).update(ends)
        return {unit: self._closed(frozenset(ends)) for unit, ends in targets.items()}

    def _closed(self, nodes: frozenset[int]) -> frozenset[int]:
        """Add the nodes that can be reached without a word; most words lead to the same few sets, so they are kept."""
        known = self.closed.get(nodes)
        if known is None:
            known = self.closed[nodes] = frozenset(self.graph.closure(nodes))
        return known


def net_of(vocabulary: Vocabulary, *, kind: str) -> Net:
    """Compile the patterns of one dialect, each entry with its own end."""
    graph = Graph()
    lists = vocabulary.data.get("lists", {})
    compiler = PatternCompiler(graph=graph, lists=lists, spell=speller_of(vocabulary).spell)
    start = graph.new()
    ends: dict[int, tuple[Entry, ...]] = {}
    for entry in pattern_entries(vocabulary, kind=kind):
        end = compiler.compile(entry.text, start)
        ends[end] = (*ends.get(end, ()), entry)
    return Net(graph=graph, start=start, ends=ends)


def meetings(net: Net) -> tuple[Meeting, ...]:
    """Give every different set of patterns that end on the same words, a single one included.

    Raises UsageError where the patterns lead to more than 200,000 places.
    """
    first = net.first()
    words: dict[frozenset[int], tuple[str, ...]] = {first: ()}
    found: dict[tuple[Entry, ...], tuple[str, ...]] = {}
    waiting = deque([first])
    while waiting:
        here = waiting.popleft()
        entries = net.entries_at(here)
        if entries:
            found.setdefault(entries, words[here])
        for unit, there in sorted(net.moves(here).items()):
            if there not in words:
                words[there] = (*words[here], unit)
                waiting.append(there)
        if len(words) > MOST_PLACES:
            raise UsageError(f"the patterns lead to more than {MOST_PLACES:,} places; use fewer optional parts")
    return tuple(Meeting(entries=entries, words=example) for entries, example in found.items())
