"""Marg: the runtime owns the moments that must be right. Its public door is the reader."""

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
