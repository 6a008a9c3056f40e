"""The short way to content: a word that neither the vocabulary nor the question knows."""

from __future__ import annotations

from collections.abc import Container

from marg_runtime.reading.question import Question
from marg_runtime.reading.vocabulary import Vocabulary, question_units
from marg_runtime.reading.words import MARKS, is_drawn_out


def holds_stranger(reply: str, question: Question, vocabulary: Vocabulary) -> bool:
    """Whether a reply holds a word that no phrase of the dialect names and that the question cannot lend.

    Such a reply is content whatever else it says. False only means that it has to be read.
    """
    if question.values or question.verbs or question.nouns or is_drawn_out(reply):
        return False
    strange = set(vocabulary.speller.norms(reply)).difference(vocabulary.dialect(question.kind).words, MARKS)
    if not strange:
        return False
    strange.difference_update(vocabulary.actions)
    lent = question_units(question.text, vocabulary)
    return any(not _is_lent(word, lent, vocabulary.noun_suffixes) for word in strange)


def _is_lent(word: str, lent: Container[str], suffixes: tuple[str, ...]) -> bool:
    if word in lent:
        return True
    return any(word + suffix in lent or (word.endswith(suffix) and word[: -len(suffix)] in lent) for suffix in suffixes)
