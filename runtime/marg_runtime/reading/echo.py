"""What a reply may restate without adding anything: the question's nouns and verbs, and the values shown (R3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from marg_runtime.reading.automaton import NOUN, VALUE, VERB
from marg_runtime.reading.question import Question
from marg_runtime.reading.vocabulary import Vocabulary, question_units
from marg_runtime.reading.words import BREAK, MARKS, has_digit, names

# What stands between a mark and a colon.
_CLAUSE = re.compile(r"(?:^|[.,;:?!\n])([^.,;:?!\n]{1,40})(?=:)")
Values = Mapping[str, tuple[tuple[str, ...], ...]]
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Marked:
    """Units with each shown value joined into one; of each its bits, and how many units it stands for."""

    units: Sequence[str]
    bits: Sequence[int]
    widths: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """The words of a question that a reply may repeat, and its shown values by their first unit, longest first."""

    nouns: AbstractSet[str] = _NOTHING
    bits: Mapping[str, int] = field(default_factory=dict)
    values: Values = field(default_factory=dict)
    labels: AbstractSet[str] = _NOTHING
    suffixes: tuple[str, ...] = ()
    barred: AbstractSet[str] = _NOTHING

    def mark(self, units: Sequence[str]) -> Marked:
        """Say of each unit what the question makes of it."""
        if not self.labels.isdisjoint(units):
            # The name of a field ("details") stands for that field here, not for all that is shown.
            units = [unit + ":" if unit in self.labels else unit for unit in units]
        if not self.values:
            return Marked(units, [self.bit(unit) for unit in units], ())
        joined: list[str] = []
        bits: list[int] = []
        widths: list[int] = []
        at = 0
        while at < len(units):
            width = self._value_at(units, at)
            joined.append(" ".join(units[at : at + width]) if width else units[at])
            bits.append(VALUE if width else self.bit(units[at]))
            widths.append(width or 1)
            at += width or 1
        return Marked(joined, bits, widths)

    def bit(self, unit: str) -> int:
        """Return what the question makes of one unit, as bits."""
        bit = self.bits.get(unit, 0)
        if not bit & NOUN and unit not in self.barred and self._is_noun(unit):
            return bit | NOUN
        return bit

    def _is_noun(self, unit: str) -> bool:
        if unit in self.nouns or unit[:-1] in self.labels:
            return True
        return any(
            unit + suffix in self.nouns or (unit.endswith(suffix) and unit[: -len(suffix)] in self.nouns)
            for suffix in self.suffixes
        )

    def _value_at(self, units: Sequence[str], at: int) -> int:
        for value in self.values.get(units[at], ()):
            here = at
            for unit in value:
                # A comma inside a value ("7 pm, Friday") may be typed or not.
                while here < len(units) and units[here] == BREAK:
                    here += 1
                if here == len(units) or units[here] != unit:
                    break
                here += 1
            else:
                return here - at
        return 0


@lru_cache(maxsize=1024)
def echo_of(question: Question, vocabulary: Vocabulary) -> Echo:
    """Return what a reply to a question may restate. Nouns and verbs are derived from the text where not declared."""
    derived = question.verbs is None or question.nouns is None
    units = question_units(question.text, vocabulary) if derived else ()
    # Where the text is not known, the kind says what was asked: "cancel?".
    asked = units or (question.kind,)
    bits: dict[str, int] = {}
    verbs = vocabulary.actions.keys() & asked if question.verbs is None else _spelled(question.verbs, vocabulary)
    for verb in verbs:
        bits[verb] = bits.get(verb, 0) | VERB
        for word, bit in vocabulary.actions.get(verb, {}).items():
            bits[word] = bits.get(word, 0) | bit
    if question.verbs is None:
        for verb in _asked_verbs(units, vocabulary):
            bits[verb] = bits.get(verb, 0) | VERB
    nouns = _nouns(units, vocabulary) if question.nouns is None else _spelled(question.nouns, vocabulary)
    return Echo(
        nouns=nouns,
        bits=bits,
        values=_values(question.values, vocabulary) if question.values else {},
        labels=_labels(question.text, vocabulary) if ":" in question.text else _NOTHING,
        suffixes=vocabulary.noun_suffixes,
        barred=vocabulary.closed_words,
    )


def _asked_verbs(units: Sequence[str], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the words that stand right after "shall I": whatever they are, they name what is to be done."""
    matcher = vocabulary.question
    for at, unit in enumerate(units):
        match = matcher.longest(units, (), at) if matcher.can_start(unit) else None
        if match is not None and match.role in ("action", "stopping"):
            end = at + match.length
            if end < len(units) and units[end] not in vocabulary.closed_words and names(units[end]):
                yield units[end]


def _spelled(words: Iterable[str], vocabulary: Vocabulary) -> frozenset[str]:
    return frozenset(unit for word in words for unit in vocabulary.speller.spell(word))


def _nouns(units: Sequence[str], vocabulary: Vocabulary) -> AbstractSet[str]:
    """Return the words of a question that name things. What stands after "without" is not among them."""
    nouns = set(units) - vocabulary.closed_words
    if not vocabulary.negators.isdisjoint(units):
        nouns -= set(_left_out(units, vocabulary.negators))
    if not vocabulary.data.get("spaces", True):
        nouns -= set(_beside_answers(units, vocabulary.deciding_words))
    return {noun for noun in nouns if names(noun)}


def _beside_answers(units: Sequence[str], deciding: AbstractSet[str]) -> Iterable[str]:
    """Yield the units next to an answer: of a run without spaces they may be one word with it (行 in 银行, a bank)."""
    for before, unit in pairwise(units):
        if before in deciding:
            yield unit
        if unit in deciding:
            yield before


def _labels(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Return the one-word names of fields in a text: what stands alone before a colon ("; Details: ...")."""
    found: set[str] = set()
    for clause in _CLAUSE.findall(text):
        units = vocabulary.speller.spell(clause)
        if len(units) == 1:
            found.update(units)
    return frozenset(found)


def _left_out(units: Sequence[str], negators: AbstractSet[str]) -> Iterable[str]:
    """Yield the units between a negator and the next mark."""
    negated = False
    for unit in units:
        if unit in MARKS or unit in negators:
            negated = unit in negators
        elif negated:
            yield unit


def _values(values: Iterable[str], vocabulary: Vocabulary) -> Values:
    found: dict[str, set[tuple[str, ...]]] = {}
    for value in values:
        units = list(vocabulary.speller.norms(value))
        while units and units[-1] in MARKS:
            units.pop()
        bare = tuple(unit for unit in units if unit != BREAK)
        if bare and _is_admitted(bare, vocabulary):
            found.setdefault(bare[0], set()).add(bare)
    return {first: longest_first(group) for first, group in found.items()}


def longest_first(group: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return written forms in the order in which they are tried."""
    return tuple(sorted(group, key=lambda units: (-len(units), units)))


def _is_admitted(units: Sequence[str], vocabulary: Vocabulary) -> bool:
    """A value that holds a word which decides readings could make content look like a restatement."""
    if any(unit in MARKS for unit in units) or not vocabulary.deciding_words.isdisjoint(units):
        return False
    return any(has_digit(unit) or unit not in vocabulary.closed_words for unit in units)
