"""The checks of one vocabulary file, without any corpus."""

from __future__ import annotations

from collections.abc import Sequence

from marg_corpora.vocabulary.clashes import clashes
from marg_corpora.vocabulary.finding import SEVERITIES, Finding
from marg_corpora.vocabulary.meanings import double_meanings, opposites
from marg_corpora.vocabulary.shadows import shadows
from marg_runtime import languages
from marg_runtime.reading.vocabulary import Vocabulary, load_vocabulary


def check_vocabulary(
    vocabulary: Vocabulary, *, others: Sequence[Vocabulary] = (), values: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Give what there is to say about a vocabulary, the worst first, then in order of the file.

    Duplicates, words in two classes, entries that never count, phrases that shadow the words in them, words that mean
    the opposite in one of the `others` (vocabularies of other languages), and confirm words that double as verbs,
    ordinals or one of `values` (values that cards of the domain show).

    Raises UsageError where the patterns are too many to walk.
    """
    found = {
        *clashes(vocabulary),
        *shadows(vocabulary),
        *opposites(vocabulary, others=others),
        *double_meanings(vocabulary, values=values),
    }
    return tuple(sorted(found, key=lambda one: (SEVERITIES.index(one.severity), one.line, one.rule, one.message)))


def other_languages(vocabulary: Vocabulary) -> tuple[Vocabulary, ...]:
    """Give the shipped vocabularies of all other languages."""
    return tuple(load_vocabulary(language) for language in languages() if language != vocabulary.language)
