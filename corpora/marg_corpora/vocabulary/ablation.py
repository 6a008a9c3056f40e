"""A vocabulary with one entry switched off, without compiling it anew: the walk just does not enter that entry.

Every entry of a list is compiled with a mark in front, which is then turned into a way through that can be shut.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import cast

from marg_corpora.vocabulary.entry import Entry, pattern_entries, speller_of
from marg_runtime.reading.automaton import NOUN, VALUE, VERB, Automaton, Match
from marg_runtime.reading.patterns import NOUN_SLOT, VALUE_SLOT, VERB_SLOT, Graph, PatternCompiler
from marg_runtime.reading.vocabulary import Vocabulary

_SLOT_OF_BIT = ((NOUN, NOUN_SLOT), (VERB, VERB_SLOT), (VALUE, VALUE_SLOT))
_LIST = re.compile(r"\{([^{}]*)\}")
_MARK = "\ue000"
"""A private character in front of the number of an entry; no vocabulary holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """The patterns of one dialect as a graph in which every entry can be shut.

    `ends` gives the entry and its rank for the node where a pattern ends, `doors` the list entry for the node that
    leads into it, and `ways` from where to where each word leads: many begin a phrase, and few with one word.
    """

    graph: Graph
    start: int
    ends: Mapping[int, tuple[int, Entry]]
    doors: Mapping[int, Entry]
    ways: Mapping[str, Sequence[tuple[int, int]]]


def marked_dialect(vocabulary: Vocabulary, *, kind: str) -> Marked:
    """Compile one dialect with a mark in front of every list entry."""
    graph = Graph()
    numbers: list[Entry] = []
    spell = speller_of(vocabulary).spell
    expand = _Expander(lists=vocabulary.data.get("lists", {}), numbers=numbers)
    compiler = PatternCompiler(
        graph=graph, lists={}, spell=lambda text: (text,) if text.startswith(_MARK) else spell(text)
    )
    start = graph.new()
    ends = {
        compiler.compile(expand.text(entry.text), start): (rank, entry)
        for rank, entry in enumerate(pattern_entries(vocabulary, kind=kind))
    }
    doors = _opened(graph, numbers)
    ways: dict[str, list[tuple[int, int]]] = {}
    for node, edges in enumerate(graph.edges):
        for unit, targets in edges.items():
            ways.setdefault(unit, []).extend((node, target) for target in targets)
    return Marked(graph=graph, start=start, ends=ends, doors=doors, ways=ways)


@dataclass(slots=True, kw_only=True)
class _Expander:
    """Writes lists out as alternatives, each with its mark; a list within a list, too."""

    lists: Mapping[str, Sequence[str]]
    numbers: list[Entry]
    written: dict[str, str] = field(default_factory=dict)

    def text(self, pattern: str) -> str:
        return _LIST.sub(lambda found: self._list(found[1]), pattern)

    def _list(self, name: str) -> str:
        if name not in self.written:
            marked = []
            for text in self.lists[name]:
                self.numbers.append(Entry(place=f"lists.{name}", text=text))
                marked.append(f"{_MARK}{len(self.numbers) - 1} {self.text(text)}")
            self.written[name] = f"({' | '.join(marked)})"
        return self.written[name]


def _opened(graph: Graph, numbers: Sequence[Entry]) -> dict[int, Entry]:
    """Turn the marks into ways through that need no word, and say which entry each leads into."""
    doors: dict[int, Entry] = {}
    for node, edges in enumerate(graph.edges):
        for mark in [unit for unit in edges if unit.startswith(_MARK)]:
            entry = numbers[int(mark[len(_MARK) :])]
            for target in edges.pop(mark):
                graph.empty[node].append(target)
                doors[target] = entry
    graph.words.difference_update({word for word in graph.words if word.startswith(_MARK)})
    return doors


@dataclass(slots=True)
class ShutMatcher:
    """Finds the longest phrase as the reader's own matcher does, with one entry shut."""

    marked: Marked
    shut: Entry
    _reached: dict[frozenset[int], frozenset[int]] = field(default_factory=dict)

    @property
    def words(self) -> AbstractSet[str]:
        """Every word that a pattern names, those of the shut entry included."""
        return self.marked.graph.words

    def longest(self, units: Sequence[str], bits: Sequence[int], at: int) -> Match | None:
        """Give the longest match that begins at a place, or None."""
        nodes = self._reach(frozenset({self.marked.start}))
        best: Match | None = None
        for here in range(at, len(units)):
            bit = bits[here] if bits else 0
            nodes = self._step(nodes, (units[here], *(slot for flag, slot in _SLOT_OF_BIT if bit & flag)))
            if not nodes:
                break
            role = self._role(nodes)
            if role is not None:
                best = Match(role, here - at + 1)
        return best

    def _step(self, nodes: frozenset[int], labels: Sequence[str]) -> frozenset[int]:
        ways = [way for label in labels for way in self.marked.ways.get(label, ())]
        if len(ways) < len(nodes):
            return self._reach(frozenset(end for node, end in ways if node in nodes))
        edges = self.marked.graph.edges
        return self._reach(frozenset(end for node in nodes for label in labels for end in edges[node].get(label, ())))

    def _reach(self, nodes: frozenset[int]) -> frozenset[int]:
        found = self._reached.get(nodes)
        if found is None:
            seen, waiting = set(nodes), list(nodes)
            while waiting:
                for node in self.marked.graph.empty[waiting.pop()]:
                    if node not in seen and self.marked.doors.get(node) != self.shut:
                        seen.add(node)
                        waiting.append(node)
            found = self._reached[nodes] = frozenset(seen)
        return found

    def _role(self, nodes: frozenset[int]) -> str | None:
        ends = self.marked.ends
        ended = [ends[node] for node in nodes if node in ends and ends[node][1] != self.shut]
        return min(ended)[1].role if ended else None


def with_shut(vocabulary: Vocabulary, entry: Entry, *, dialects: Mapping[str, Marked]) -> Vocabulary:
    """Give the vocabulary with one entry shut in the given dialects, and in no other.

    All that was derived from its words together (which of them are never nouns of a question, say) stays as it is.
    """
    less = copy.copy(vocabulary)
    matchers = {kind: cast(Automaton, ShutMatcher(marked, entry)) for kind, marked in dialects.items()}
    object.__setattr__(less, "_dialects", matchers)
    return less
