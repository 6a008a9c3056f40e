"""Short ways through a reply: a word that nobody knows, and a reply that borrows nothing from the question."""

from __future__ import annotations

from collections.abc import Container, Sequence

from marg_runtime.reading.automaton import Automaton
from marg_runtime.reading.question import Question
from marg_runtime.reading.vocabulary import Vocabulary, question_units
from marg_runtime.reading.words import MARKS


def holds_stranger(units: Sequence[str], question: Question, *, vocabulary: Vocabulary, automaton: Automaton) -> bool:
    """Whether a reply holds a unit that no phrase of the dialect names and that the question cannot lend.

    Such a reply is content whatever else it says. False only means that it has to be read.
    """
    if _declares(question):
        return False
    strange = set(units).difference(automaton.words, MARKS)
    if not strange:
        return False
    strange.difference_update(vocabulary.actions)
    lent = question_units(question.text, vocabulary)
    return any(not _is_lent(unit, lent, vocabulary.noun_suffixes) for unit in strange)


def borrows(units: Sequence[str], question: Question, vocabulary: Vocabulary) -> bool:
    """Whether the question may lend a reply any of its units; False is certain."""
    if _declares(question):
        return True
    free = set(units).difference(vocabulary.function_words, MARKS)
    if not free.isdisjoint(vocabulary.actions):
        return True
    lent = question_units(question.text, vocabulary)
    return any(_is_lent(unit, lent, vocabulary.noun_suffixes) for unit in free)


def _declares(question: Question) -> bool:
    return bool(question.values) or question.verbs is not None or question.nouns is not None


def _is_lent(unit: str, lent: Container[str], suffixes: tuple[str, ...]) -> bool:
    if unit in lent:
        return True
    return any(unit + suffix in lent or (unit.endswith(suffix) and unit[: -len(suffix)] in lent) for suffix in suffixes)
