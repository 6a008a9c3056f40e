"""Whether a sentence asks: of a person's reply, and of a model's sentence that the runtime may have to cut."""

from __future__ import annotations

from marg_runtime.reading.vocabulary import Vocabulary, has_vocabulary, load_vocabulary
from marg_runtime.reading.words import MARKS, QUESTION, split


def asks(sentence: str, language: str) -> bool:
    """Whether a model's sentence asks; see `marg_runtime.asks`."""
    if not has_vocabulary(language):
        marks = [word.norm for word in split(sentence)]
        return bool(marks) and QUESTION in marks
    return sentence_asks(sentence, load_vocabulary(language))


def sentence_asks(sentence: str, vocabulary: Vocabulary) -> bool:
    """Whether a sentence holds a question mark, a clause that opens like a question, or a request."""
    units = vocabulary.units(sentence).units
    if QUESTION in units:
        return True
    at, bits, opens = 0, [0] * len(units), True
    while at < len(units):
        if units[at] in MARKS:
            at, opens = at + 1, True
            continue
        match = vocabulary.asks.longest(units, bits, at)
        if match is not None and (match.role == "request" or (match.role == "opener" and opens)):
            return True
        if match is not None and match.role == "lead":
            at += match.length
            continue
        at, opens = at + (match.length if match is not None else 1), False
    return False
