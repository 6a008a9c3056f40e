"""A reader as the scorer sees it: a name, and a verdict on one reply to one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from marg_corpora.record import Record
from marg_runtime import Question, read
from marg_runtime.reading.kinds import ReadingKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a reader made of a reply; `has_vocabulary` is False where it does not know the language."""

    kind: ReadingKind
    has_vocabulary: bool = True


class RecordReader(Protocol):
    """Anything that reads replies: a shipped reader, a reader over another vocabulary, an adapter to a peer."""

    @property
    def name(self) -> str:
        """Its name in tables."""

    def read(self, reply: str, question: Question, *, language: str) -> Verdict:
        """Read one reply to one question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedReader:
    """One of the readers of `marg_runtime`, by name. Raises ReadingError when it reads and there is none so named."""

    name: str

    def read(self, reply: str, question: Question, *, language: str) -> Verdict:
        """Read one reply with the shipped vocabulary of `language`."""
        reading = read(reply, question, reader=self.name, language=language)
        return Verdict(kind=reading.kind, has_vocabulary=reading.has_vocabulary)


def question_of(record: Record) -> Question:
    """Give the question of a record; one with no text is a generic confirmation, whatever kind the record names."""
    if not record.question.strip():
        return Question()
    return Question(text=record.question, kind=record.question_kind)
