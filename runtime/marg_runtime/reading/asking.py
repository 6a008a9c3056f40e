"""Whether a sentence asks: of a person's reply, and of a model's sentence that the runtime may have to cut."""

from __future__ import annotations

from collections.abc import Sequence

from marg_runtime.reading.vocabulary import Vocabulary, has_vocabulary, load_vocabulary
from marg_runtime.reading.words import MARKS, QUESTION, norms


def asks(sentence: str, language: str, *, openers: bool = True) -> bool:
    """Whether a model's sentence asks; see `marg_runtime.asks`."""
    if not has_vocabulary(language):
        return QUESTION in norms(sentence)
    vocabulary = load_vocabulary(language)
    return units_ask(vocabulary.speller.norms(sentence), vocabulary, openers=openers)


def units_ask(units: Sequence[str], vocabulary: Vocabulary, *, openers: bool = True) -> bool:
    """Whether a text holds a question mark, a clause that opens like a question (`openers`), or a request."""
    if QUESTION in units:
        return True
    matcher = vocabulary.asks
    at, opens = 0, True
    while at < len(units):
        if units[at] in MARKS:
            at, opens = at + 1, True
            continue
        match = matcher.longest(units, (), at) if matcher.can_start(units[at]) else None
        if match is not None and (match.role == "request" or (match.role == "opener" and opens and openers)):
            return True
        # After "so", "next," or "please" a clause may still open.
        opens = opens and match is not None and match.role == "lead"
        at += match.length if match is not None else 1
    return False
