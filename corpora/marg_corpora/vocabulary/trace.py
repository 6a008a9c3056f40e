"""Which entries of a vocabulary a reading rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from marg_corpora.vocabulary.coverage import Net, net_of
from marg_corpora.vocabulary.entry import Entry, list_entries, speller_of
from marg_runtime import Question
from marg_runtime.reading.automaton import NOUN, VALUE, VERB
from marg_runtime.reading.echo import echo_of
from marg_runtime.reading.patterns import NOUN_SLOT, VALUE_SLOT, VERB_SLOT
from marg_runtime.reading.vocabulary import Vocabulary

_SLOT_OF_BIT = ((NOUN, NOUN_SLOT), (VERB, VERB_SLOT), (VALUE, VALUE_SLOT))
_LIST = re.compile(r"\{([^{}]*)\}")


@dataclass(slots=True)
class Tracer:
    """Traces readings of one vocabulary back to its entries; dialects are compiled when they are first met."""

    vocabulary: Vocabulary
    _nets: dict[str, Net] = field(default_factory=dict)
    _lists: dict[str, list[tuple[Entry, tuple[str, ...]]]] = field(default_factory=dict)
    _reach: dict[str, frozenset[str]] = field(default_factory=dict)

    def entries_of(self, reply: str, question: Question) -> tuple[Entry, ...]:
        """Name the entries without which some phrase of the reply may not be read as it is, each once.

        They are candidates: a phrase that several patterns of its role read rests on none of them, and is left out.
        """
        kind = question.dialect
        found: dict[Entry, None] = {}
        for units, bits in self._phrases(reply, question, kind=kind):
            patterns = self._patterns_over(units, bits, kind=kind)
            if len(patterns) == 1:
                found.update(dict.fromkeys(patterns))
            for pattern in patterns:
                found.update(dict.fromkeys(self._listed(pattern, units)))
        return tuple(found)

    def _phrases(self, reply: str, question: Question, *, kind: str) -> Iterator[tuple[Sequence[str], Sequence[int]]]:
        """Cut the reply into its phrases as the reader does, the longest first."""
        matcher = self.vocabulary.dialect(kind)
        units = self.vocabulary.speller.units(reply, known=matcher.words).units
        marked = echo_of(question, self.vocabulary).mark(units)
        at = 0
        while at < len(marked.units):
            match = matcher.longest(marked.units, marked.bits, at)
            length = match.length if match else 1
            if match:
                yield marked.units[at : at + length], marked.bits[at : at + length]
            at += length

    def _patterns_over(self, units: Sequence[str], bits: Sequence[int], *, kind: str) -> tuple[Entry, ...]:
        """Name the patterns of the winning role that read exactly these words."""
        if kind not in self._nets:
            self._nets[kind] = net_of(self.vocabulary, kind=kind)
        net = self._nets[kind]
        nodes = net.first()
        for unit, bit in zip(units, bits, strict=True):
            nodes = net.step(nodes, (unit, *(slot for flag, slot in _SLOT_OF_BIT if bit & flag)))
        match = self.vocabulary.dialect(kind).longest(units, bits, 0)
        return tuple(entry for entry in net.entries_at(nodes) if match and entry.role == match.role)

    def _listed(self, pattern: Entry, units: Sequence[str]) -> Iterator[Entry]:
        """Name the list entries that the pattern may have read within the words."""
        for name in sorted(self._lists_of(pattern.text)):
            for entry, spelled in self._spelled(name):
                if spelled and _holds(units, spelled):
                    yield entry

    def _lists_of(self, text: str) -> frozenset[str]:
        """Name the lists that a pattern uses, those within lists included."""
        if text not in self._reach:
            names = set(_LIST.findall(text))
            inner = (self._lists_of(entry.text) for name in names for entry, _ in self._spelled(name))
            self._reach[text] = frozenset(names).union(*inner)
        return self._reach[text]

    def _spelled(self, name: str) -> list[tuple[Entry, tuple[str, ...]]]:
        if not self._lists:
            spell = speller_of(self.vocabulary).spell
            for entry in list_entries(self.vocabulary):
                # An entry with signs is a pattern; only plain words are traced to a list.
                spelled = () if set("{}[]()|<>").intersection(entry.text) else spell(entry.text)
                self._lists.setdefault(entry.role, []).append((entry, spelled))
        return self._lists.get(name, [])


def _holds(units: Sequence[str], part: Sequence[str]) -> bool:
    width = len(part)
    return any(tuple(units[at : at + width]) == tuple(part) for at in range(len(units) - width + 1))
