"""One entry shut reads like a vocabulary that never had it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marg_corpora.vocabulary import Entry, VocabularyReader, vocabulary_at
from marg_corpora.vocabulary.ablation import ShutMatcher, marked_dialect, with_shut
from marg_corpora.vocabulary.entry import list_entries, pattern_entries, without
from marg_runtime import Question
from marg_runtime.reading.vocabulary import parse_vocabulary_text

from .conftest import SMALL, Small

NESTED = SMALL.replace('good = ["good", "fine"]', 'good = ["good", "{great}", "very {great}"]\ngreat = ["grand"]')
VOCABULARY = parse_vocabulary_text(NESTED, path="nested.toml")
MARKED = marked_dialect(VOCABULARY, kind="confirm")
ENTRIES = [*pattern_entries(VOCABULARY, kind="confirm"), *list_entries(VOCABULARY)]
WORDS = ["yes", "sure", "no", "thanks", "problem", "that", "is", "right", "good", "grand", "very", "please", "but", "x"]


@given(entry=st.sampled_from(ENTRIES), words=st.lists(st.sampled_from(WORDS), max_size=6))
@settings(max_examples=300)
def test_a_shut_entry_matches_like_a_vocabulary_without_it(entry: Entry, words: list[str]) -> None:
    shut = ShutMatcher(MARKED, entry)
    compiled = without(VOCABULARY, entry).dialect("confirm")
    assert [shut.longest(words, (), at) for at in range(len(words))] == [
        compiled.longest(words, (), at) for at in range(len(words))
    ]


def test_an_entry_that_is_not_there_shuts_nothing(small: Small) -> None:
    nothing = Entry(place="lists.good", text="splendid")
    shut = with_shut(small(), nothing, dialects={"confirm": marked_dialect(small(), kind="confirm")})
    reader = VocabularyReader(name="shut", vocabulary=shut)
    assert reader.read("yes please", Question(), language="en").kind == "plain_yes"


def test_the_vocabulary_itself_stays_open(small: Small) -> None:
    vocabulary = small()
    yes = Entry(place="lists.yesword", text="yes")
    with_shut(vocabulary, yes, dialects={"confirm": marked_dialect(vocabulary, kind="confirm")})
    reader = VocabularyReader(name="open", vocabulary=vocabulary)
    assert reader.read("yes", Question(), language="en").kind == "plain_yes"


@pytest.mark.parametrize("reply", ["yes, go ahead", "that is right", "no problem", "looks good to me, thanks", "no"])
def test_with_nothing_shut_the_shipped_vocabulary_matches_as_ever(reply: str) -> None:
    vocabulary = vocabulary_at("en")
    units = vocabulary.speller.units(reply).units
    shut = ShutMatcher(marked_dialect(vocabulary, kind="confirm"), Entry(place="lists.none", text="none"))
    assert shut.longest(units, (), 0) == vocabulary.dialect("confirm").longest(units, (), 0)
