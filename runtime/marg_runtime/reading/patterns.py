"""The pattern language of the vocabularies, compiled into a graph of units.

A pattern is written in words with four signs: `{list}` any entry of a named list, `<slot>` a word that the
question supplies, `[ ... ]` a part that may be missing, `( a | b )` alternatives. There is no repetition, so a match
is never longer than the longest pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from marg_runtime.errors import ReadingError

NOUN_SLOT = "<noun>"
VERB_SLOT = "<verb>"
VALUE_SLOT = "<value>"
SLOTS = (NOUN_SLOT, VERB_SLOT, VALUE_SLOT)
_SIGN = re.compile(r"\{[^{}]*\}|<[^<>]*>|[\[\]()|]|[^\s\[\]()|{}<>]+")
_PLAIN = re.compile(r"[^\[\](){}<>|]+")
_CLOSES = {"[": "]", "(": ")"}
_DEEPEST_LIST = 6

Spell = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A list that was compiled once: the range of its nodes; it begins at the first of them and ends at `end`.

    `is_optional` says whether one of its entries may be missing, so that nothing need be read from begin to end.
    """

    first: int
    last: int
    end: int
    is_optional: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """A list that stands at a node and has not been needed there yet; it leads on to `after`."""

    fragment: Fragment
    after: int


@dataclass(slots=True)
class Graph:
    """Nodes with labelled edges (a unit leads on) and empty edges (nothing is read).

    A list is compiled once. Where it is named it stays folded until the node is reached, and is then copied there: the
    lists of a vocabulary make up nearly all of its graph, and a reply reaches few of the places that name them.
    """

    edges: list[dict[str, list[int]]] = field(default_factory=list)
    empty: list[list[int]] = field(default_factory=list)
    folded: dict[int, Folded] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)

    def new(self) -> int:
        """Add a node and return its number."""
        self.edges.append({})
        self.empty.append([])
        return len(self.edges) - 1

    def link(self, start: int, unit: str, end: int) -> None:
        """Add the edge on which a unit leads from one node to another."""
        self.edges[start].setdefault(unit, []).append(end)
        if unit not in SLOTS:
            self.words.add(unit)

    def fold(self, node: int, fragment: Fragment) -> int:
        """Let a list stand at a node, and return the node that it leads to."""
        after = self.new()
        self.folded[node] = Folded(fragment, after)
        return after

    def closure(self, nodes: Iterable[int]) -> set[int]:
        """Return the nodes that can be reached without reading anything; the lists that stand there are unfolded."""
        seen = set(nodes)
        todo = list(seen)
        while todo:
            here = todo.pop()
            if here in self.folded:
                self._unfold(here)
            for node in self.empty[here]:
                if node not in seen:
                    seen.add(node)
                    todo.append(node)
        return seen

    def is_optional(self, start: int, end: int) -> bool:
        """Whether nothing need be read from one node to another. Nothing is unfolded for it."""
        seen, todo = {start}, [start]
        while todo:
            here = todo.pop()
            folded = self.folded.get(here)
            beyond = [folded.after] if folded is not None and folded.fragment.is_optional else []
            for node in (*self.empty[here], *beyond):
                if node not in seen:
                    seen.add(node)
                    todo.append(node)
        return end in seen

    def _unfold(self, node: int) -> None:
        """Put a copy of the list that stands at a node there; the lists within it stay folded."""
        folded = self.folded.pop(node)
        fragment = folded.fragment
        moved = len(self.edges) - fragment.first
        for one in range(fragment.first, fragment.last + 1):
            edges, empty, within = self.edges[one], self.empty[one], self.folded.get(one)
            self.edges.append({unit: [end + moved for end in ends] for unit, ends in edges.items()} if edges else {})
            self.empty.append([end + moved for end in empty] if empty else [])
            if within is not None:
                self.folded[one + moved] = Folded(within.fragment, within.after + moved)
        self.empty[node].append(fragment.first + moved)
        self.empty[fragment.end + moved].append(folded.after)


@dataclass(slots=True, kw_only=True)
class PatternCompiler:
    """Compiles patterns into one graph; `spell` turns a written word into the units that replies are split into."""

    graph: Graph
    lists: Mapping[str, Sequence[str]]
    spell: Spell
    fragments: dict[str, Fragment] = field(default_factory=dict)

    def compile(self, pattern: str, start: int) -> int:
        """Add a pattern from a node on and return the node where it ends.

        Raises ReadingError for a sign that does not close, an unknown list or slot, or a pattern that would match
        an empty reply.
        """
        inner = self._after(start)
        end = self._whole(pattern, inner, 0)
        if self.graph.is_optional(inner, end):
            raise ReadingError(f"pattern {pattern!r} needs at least one word that must be there")
        return end

    def _whole(self, pattern: str, start: int, depth: int) -> int:
        signs = _SIGN.findall(pattern)
        end, rest = self._alternatives(signs, 0, start, depth)
        if rest != len(signs):
            raise ReadingError(f"pattern {pattern!r}: {signs[rest]!r} closes nothing")
        return end

    def _alternatives(self, signs: list[str], at: int, start: int, depth: int) -> tuple[int, int]:
        """Compile up to a closing sign; the alternatives meet again in one node."""
        end = self.graph.new()
        node = start
        while at < len(signs) and signs[at] not in "])":
            if signs[at] == "|":
                self.graph.empty[node].append(end)
                node, at = start, at + 1
            else:
                node, at = self._sign(signs, at, node, depth)
        self.graph.empty[node].append(end)
        return end, at

    def _sign(self, signs: list[str], at: int, node: int, depth: int) -> tuple[int, int]:
        sign = signs[at]
        if sign in _CLOSES:
            return self._group(signs, at, node, depth)
        if sign[0] == "{":
            return self._list(sign[1:-1], node, depth), at + 1
        if sign[0] == "<" and sign not in SLOTS:
            raise ReadingError(f"{sign!r} is no slot of a pattern; there are {', '.join(SLOTS)}")
        for unit in (sign,) if sign[0] == "<" else self.spell(sign):
            step = self.graph.new()
            self.graph.link(node, unit, step)
            node = step
        return node, at + 1

    def _group(self, signs: list[str], at: int, node: int, depth: int) -> tuple[int, int]:
        inner = self._after(node)
        end, rest = self._alternatives(signs, at + 1, inner, depth)
        if rest >= len(signs) or signs[rest] != _CLOSES[signs[at]]:
            raise ReadingError(f"pattern {' '.join(signs)!r}: {signs[at]!r} is not closed")
        if signs[at] == "[":
            self.graph.empty[inner].append(end)
        return end, rest + 1

    def _list(self, name: str, node: int, depth: int) -> int:
        self._check_list(name, depth)
        if name not in self.fragments:
            self.fragments[name] = self._fragment(name, depth)
        return self.graph.fold(self._after(node), self.fragments[name])

    def _fragment(self, name: str, depth: int) -> Fragment:
        # The lists that this one names come first: a fragment is one unbroken range of nodes.
        for entry in self.lists[name]:
            for sign in _SIGN.findall(entry):
                if sign[0] == "{" and sign[1:-1] not in self.fragments:
                    self._check_list(sign[1:-1], depth + 1)
                    self.fragments[sign[1:-1]] = self._fragment(sign[1:-1], depth + 1)
        first = self.graph.new()
        ends: list[int] = []
        words: list[Sequence[str]] = []
        for entry in self.lists[name]:
            if _PLAIN.fullmatch(entry):
                words.append(self.spell(entry))
            else:
                ends.append(self._whole(entry, self._after(first), depth + 1))
        last = self.graph.new()
        for end in ends:
            self.graph.empty[end].append(last)
        for units in words:
            self._chain(first, units, last)
        return Fragment(first, len(self.graph.edges) - 1, last, self.graph.is_optional(first, last))

    def _after(self, node: int) -> int:
        inner = self.graph.new()
        self.graph.empty[node].append(inner)
        return inner

    def _chain(self, node: int, units: Sequence[str], end: int) -> None:
        for unit in units[:-1]:
            step = self.graph.new()
            self.graph.link(node, unit, step)
            node = step
        self.graph.link(node, units[-1], end)

    def _check_list(self, name: str, depth: int) -> None:
        if name not in self.lists:
            raise ReadingError(f"the list {name!r} is not there; lists: {', '.join(sorted(self.lists))}")
        if depth >= _DEEPEST_LIST:
            raise ReadingError(f"the list {name!r} names lists more than {_DEEPEST_LIST} deep")
