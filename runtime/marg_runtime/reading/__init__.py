"""Reads what a person typed against the question that was open, with the standard library alone."""

from marg_runtime.reading.door import (
    Reader,
    asks,
    languages,
    read,
    reader_names,
    register_reader,
    vocabulary_digest,
)
from marg_runtime.reading.question import Choice, Polarity, Question, QuestionKind
from marg_runtime.reading.reading import Reading, ReadingKind, ReadToken, TokenClass

__all__ = [
    "Choice",
    "Polarity",
    "Question",
    "QuestionKind",
    "ReadToken",
    "Reader",
    "Reading",
    "ReadingKind",
    "TokenClass",
    "asks",
    "languages",
    "read",
    "reader_names",
    "register_reader",
    "vocabulary_digest",
]
