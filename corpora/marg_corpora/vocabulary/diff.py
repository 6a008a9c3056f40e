"""What a change of the vocabulary changes: every reply that is read differently, and whether that opens a hole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from marg_corpora.errors import CorpusMissing
from marg_corpora.record import Record
from marg_corpora.record_reader import question_of
from marg_corpora.tally import DANGEROUS, side_of
from marg_corpora.vocabulary.file import VocabularyReader
from marg_runtime.reading.kinds import ReadingKind
from marg_runtime.reading.vocabulary import Vocabulary

Effect = Literal["new_misread", "new_flip", "misread_gone", "flip_gone", "found", "lost", "other"]
"""What a changed reading means: a misread or flip opened or closed, a plain reply found or lost, or none of these."""

DANGERS: tuple[Effect, ...] = ("new_misread", "new_flip")
EFFECTS: tuple[Effect, ...] = (*DANGERS, "misread_gone", "flip_gone", "lost", "found", "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One record that the new vocabulary reads differently."""

    record: Record
    before: ReadingKind
    after: ReadingKind
    effect: Effect


def vocabulary_changes(records: Iterable[Record], *, before: Vocabulary, after: Vocabulary) -> Iterator[Change]:
    """Yield every record of the vocabularies' language whose reading changes, in order; one pass, constant memory.

    Raises CorpusMissing where the two are vocabularies of different languages.
    """
    if before.language != after.language:
        raise CorpusMissing(
            f"the vocabularies are of two languages, {before.language!r} and {after.language!r}; give two of one"
        )
    old, new = (VocabularyReader(name="whole_message", vocabulary=one) for one in (before, after))
    for record in records:
        if record.language != before.language:
            continue
        question = question_of(record)
        was = old.read(record.reply, question, language=record.language).kind
        now = new.read(record.reply, question, language=record.language).kind
        if was != now:
            yield Change(record=record, before=was, after=now, effect=effect_of(record, was=was, now=now))


def effect_of(record: Record, *, was: ReadingKind, now: ReadingKind) -> Effect:
    """Say what it means that a record is read differently; the dangerous side first."""
    before, after = side_of(record.label, was), side_of(record.label, now)
    if after == before:
        return "other"
    if after in DANGEROUS:
        return "new_misread" if after == "misread" else "new_flip"
    if before in DANGEROUS:
        return "misread_gone" if before == "misread" else "flip_gone"
    return "lost" if before is None else "found"
