"""Reads what a person typed against the question that was open, with the standard library alone."""

from marg_runtime.reading.door import asks, languages, read, reader_names, register_reader, vocabulary_digest
from marg_runtime.reading.question import Choice, Question
from marg_runtime.reading.reading import Reading, ReadToken

__all__ = [
    "Choice",
    "Question",
    "ReadToken",
    "Reading",
    "asks",
    "languages",
    "read",
    "reader_names",
    "register_reader",
    "vocabulary_digest",
]
