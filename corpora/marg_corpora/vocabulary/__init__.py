"""Tools for whoever owns a vocabulary: what a file says, what a change changes, and which entry is to blame."""

from marg_corpora.vocabulary.blame import Balance, Blame, blame_entries, traced_uses
from marg_corpora.vocabulary.check import check_vocabulary, other_languages
from marg_corpora.vocabulary.diff import DANGERS, EFFECTS, Change, Effect, vocabulary_changes
from marg_corpora.vocabulary.entry import Entry
from marg_corpora.vocabulary.file import VocabularyReader, vocabulary_at
from marg_corpora.vocabulary.finding import SEVERITIES, Finding, Severity

__all__ = [
    "DANGERS",
    "EFFECTS",
    "SEVERITIES",
    "Balance",
    "Blame",
    "Change",
    "Effect",
    "Entry",
    "Finding",
    "Severity",
    "VocabularyReader",
    "blame_entries",
    "check_vocabulary",
    "other_languages",
    "traced_uses",
    "vocabulary_at",
    "vocabulary_changes",
]
