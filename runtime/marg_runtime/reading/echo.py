"""What a reply may restate without adding anything: the question's nouns and verbs, and the values shown (R3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from marg_runtime.reading.automaton import NOUN, VALUE, VERB
from marg_runtime.reading.question import Question
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import BREAK, MARKS, has_digit


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """The words of a question as bits, and its shown values by their first unit, longest first."""

    bits: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def mark(self, units: Sequence[str]) -> tuple[list[str], list[int], list[int]]:
        """Return units with each shown value joined into one, the bits of each, and how many units it stands for."""
        joined: list[str] = []
        bits: list[int] = []
        widths: list[int] = []
        at = 0
        while at < len(units):
            width = self._value_at(units, at)
            joined.append(" ".join(units[at : at + width]) if width else units[at])
            bits.append(VALUE if width else self.bits.get(units[at], 0))
            widths.append(width or 1)
            at += width or 1
        return joined, bits, widths

    def _value_at(self, units: Sequence[str], at: int) -> int:
        for value in self.values.get(units[at], ()):
            here = at
            for unit in value:
                # A comma inside a value ("7 pm, Friday") may be typed or not.
                while here < len(units) and units[here] == BREAK and unit != BREAK:
                    here += 1
                if here == len(units) or units[here] != unit:
                    break
                here += 1
            else:
                return here - at
        return 0


@lru_cache(maxsize=2048)
def echo_of(question: Question, vocabulary: Vocabulary) -> Echo:
    """Return what a reply to a question may restate. Nouns and verbs are derived from the text where not declared."""
    units = vocabulary.units(question.text).units
    bits: dict[str, int] = {}
    verbs = [unit for unit in units if unit in vocabulary.actions] if question.verbs is None else None
    for verb in verbs if verbs is not None else _spelled(question.verbs or (), vocabulary):
        group_verbs, group_nouns = vocabulary.actions.get(verb, (frozenset((verb,)), frozenset()))
        for word in group_verbs:
            bits[word] = bits.get(word, 0) | VERB
        for word in group_nouns:
            bits[word] = bits.get(word, 0) | NOUN
    nouns = _nouns(units, vocabulary) if question.nouns is None else _spelled(question.nouns, vocabulary)
    for noun in nouns:
        for form in _forms(noun, vocabulary):
            bits[form] = bits.get(form, 0) | NOUN
    return Echo(bits=bits, values=_values(question.values, vocabulary))


def _spelled(words: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    return [unit for word in words for unit in vocabulary.spell(word)]


def _nouns(units: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Return the words of a question that name things. What stands after "without" is not among them."""
    nouns: list[str] = []
    negated = False
    for unit in units:
        if unit in MARKS or unit in vocabulary.negators:
            negated = unit in vocabulary.negators
        elif not negated and unit not in vocabulary.closed_words and unit.isalpha():
            nouns.append(unit)
    return nouns


def _forms(noun: str, vocabulary: Vocabulary) -> list[str]:
    forms = [noun]
    for suffix in vocabulary.noun_suffixes:
        forms.append(noun + suffix)
        if noun.endswith(suffix) and len(noun) > len(suffix) + 1:
            forms.append(noun[: -len(suffix)])
    return [form for form in forms if form not in vocabulary.closed_words]


def _values(values: Sequence[str], vocabulary: Vocabulary) -> dict[str, tuple[tuple[str, ...], ...]]:
    found: dict[str, set[tuple[str, ...]]] = {}
    for value in values:
        units = tuple(unit for unit in vocabulary.units(value).units if unit != BREAK)
        while units and units[-1] in MARKS:
            units = units[:-1]
        if units and _is_admitted(units, vocabulary):
            found.setdefault(units[0], set()).add(units)
    return {first: tuple(sorted(group, key=lambda v: (-len(v), v))) for first, group in found.items()}


def _is_admitted(units: Sequence[str], vocabulary: Vocabulary) -> bool:
    """A value that holds a word which decides readings could make content look like a restatement."""
    if any(unit in MARKS for unit in units) or vocabulary.deciding_words.intersection(units):
        return False
    return any(has_digit(unit) or unit not in vocabulary.closed_words for unit in units)
