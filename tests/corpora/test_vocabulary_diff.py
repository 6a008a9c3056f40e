"""What changes with a vocabulary: every reply, and whether it opens a hole."""

from __future__ import annotations

import pytest

from marg_corpora import CorpusMissing, Label, Record
from marg_corpora.vocabulary import Effect, vocabulary_changes
from marg_corpora.vocabulary.diff import effect_of
from marg_runtime.reading.kinds import ReadingKind

from .conftest import Small


def record(reply: str, label: Label, *, language: str = "en") -> Record:
    return Record(
        id=reply,
        source="own",
        language=language,
        question="Shall I create the ticket?",
        question_kind="confirm",
        reply=reply,
        label=label,
    )


def test_a_risky_word_opens_a_misread(small: Small) -> None:
    records = [record("private please", "content"), record("yes", "plain_yes")]
    after = small(('"sure"', '"sure", "private"'))
    (change,) = vocabulary_changes(records, before=small(), after=after)
    assert (change.record.reply, change.before, change.after, change.effect) == (
        "private please",
        "content",
        "plain_yes",
        "new_misread",
    )


def test_a_harmless_word_finds_a_yes(small: Small) -> None:
    records = [record("righto", "plain_yes"), record("private please", "content")]
    after = small(('"sure"', '"sure", "righto"'))
    assert [change.effect for change in vocabulary_changes(records, before=small(), after=after)] == ["found"]


def test_nothing_changes_between_a_vocabulary_and_itself(small: Small) -> None:
    assert list(vocabulary_changes([record("yes", "plain_yes")], before=small(), after=small())) == []


def test_replies_in_other_languages_are_not_read(small: Small) -> None:
    after = small(('"sure"', '"sure", "righto"'))
    assert list(vocabulary_changes([record("righto", "plain_yes", language="de")], before=small(), after=after)) == []


def test_two_languages_cannot_be_compared(small: Small) -> None:
    german = small(('language = "en"', 'language = "de"'))
    with pytest.raises(CorpusMissing, match="two languages, 'en' and 'de'"):
        list(vocabulary_changes([], before=small(), after=german))


@pytest.mark.parametrize(
    ("label", "was", "now", "effect"),
    [
        ("content", "content", "plain_no", "new_misread"),
        ("content", "choice", "plain_yes", "new_misread"),
        ("content", "plain_yes", "content", "misread_gone"),
        ("content", "plain_yes", "plain_no", "other"),
        ("plain_yes", "content", "plain_no", "new_flip"),
        ("polar_no", "content", "plain_yes", "new_flip"),
        ("plain_yes", "plain_no", "plain_yes", "flip_gone"),
        ("plain_yes", "plain_yes", "plain_no", "new_flip"),
        ("plain_no", "content", "plain_no", "found"),
        ("plain_no", "plain_no", "choice", "lost"),
        ("polar_yes", "content", "plain_yes", "other"),
    ],
)
def test_a_changed_reading_has_one_effect(label: Label, was: ReadingKind, now: ReadingKind, effect: Effect) -> None:
    assert effect_of(record("reply", label), was=was, now=now) == effect
