"""Cuts a run of a script that is written without spaces into words, by the longest word that is known."""

from __future__ import annotations

from collections.abc import Container, Iterator

from marg_runtime.reading.words import Word

LONGEST_WORD = 12


def segment(word: Word, known: Container[str]) -> Iterator[Word]:
    """Yield the known words of a run, and what lies between two of them as one word that nobody knows."""
    text = word.norm
    # Where folding changed the length the offsets of the pieces cannot be told: each gets those of the run.
    exact = len(text) == word.end - word.start
    at = begin = 0
    while at < len(text):
        length = _longest(text, at, known)
        if length:
            if at > begin:
                yield _piece(word, begin, at, exact)
            yield _piece(word, at, at + length, exact)
            begin = at + length
        at += length or 1
    if at > begin:
        yield _piece(word, begin, at, exact)


def _longest(text: str, at: int, known: Container[str]) -> int:
    for length in range(min(LONGEST_WORD, len(text) - at), 0, -1):
        if text[at : at + length] in known:
            return length
    return 0


def _piece(word: Word, begin: int, end: int, exact: bool) -> Word:
    if exact:
        return Word(word.norm[begin:end], word.start + begin, word.start + end)
    return Word(word.norm[begin:end], word.start, word.end)
