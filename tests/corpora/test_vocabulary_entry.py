"""Entries of a vocabulary: listed, found in the file, taken out."""

from __future__ import annotations

import pytest

from marg_corpora.vocabulary import Entry, VocabularyReader
from marg_corpora.vocabulary.entry import line_of, list_entries, pattern_entries, without
from marg_runtime import Question

from .conftest import Small


def test_patterns_of_a_dialect_come_before_those_of_every_dialect(small: Small) -> None:
    entries = [str(entry) for entry in pattern_entries(small(), kind="more")]
    assert entries[0] == "'that is all' (dialects.more.deny)"
    assert "'no thanks' (all.deny)" in entries


def test_lists_are_entries_word_by_word(small: Small) -> None:
    assert Entry(place="lists.yesword", text="sure") in list(list_entries(small()))


def test_the_role_and_the_table_are_parts_of_the_place() -> None:
    entry = Entry(place="dialects.offer.praise", text="fine")
    assert (entry.table, entry.role) == ("dialects.offer", "praise")


def test_an_entry_is_found_on_its_line_after_its_table(small: Small) -> None:
    vocabulary = small()
    lines = vocabulary.source.text.splitlines()
    line = line_of(vocabulary, Entry(place="dialects.more.deny", text="that is all"))
    assert lines[line - 1] == 'deny = ["that is all"]'


def test_without_an_entry_its_reply_is_content(small: Small) -> None:
    less = without(small(), Entry(place="all.confirm", text="no problem"))
    assert (
        VocabularyReader(name="less", vocabulary=less).read("no problem", Question(), language="en").kind == "content"
    )


def test_taking_out_an_entry_leaves_the_vocabulary_itself_alone(small: Small) -> None:
    vocabulary = small()
    without(vocabulary, Entry(place="lists.yesword", text="sure"))
    assert "sure" in vocabulary.data["lists"]["yesword"]


def test_an_entry_that_is_not_there_cannot_be_taken_out(small: Small) -> None:
    with pytest.raises(KeyError, match="righto"):
        without(small(), Entry(place="lists.yesword", text="righto"))
