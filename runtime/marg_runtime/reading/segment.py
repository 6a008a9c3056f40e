"""Cuts a run of a script that is written without spaces into words, by the longest word that is known."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from marg_runtime.reading.words import Words

LONGEST_WORD = 12


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a run: `text[start:end]` of it."""

    start: int
    end: int


def segment_words(words: Words, known: Container[str]) -> Words:
    """Return the words with each run beyond ASCII cut into the words that are known and what lies between them."""
    found = Words([], [], [])
    for norm, start, end in zip(words.norms, words.starts, words.ends, strict=True):
        # Where folding changed the length the places of the pieces cannot be told: each gets those of the run.
        exact = len(norm) == end - start
        pieces = (Piece(0, len(norm)),) if norm.isascii() else pieces_of(norm, known)
        for piece in pieces:
            found.norms.append(norm[piece.start : piece.end])
            found.starts.append(start + piece.start if exact else start)
            found.ends.append(start + piece.end if exact else end)
    return found


def pieces_of(run: str, known: Container[str]) -> Iterator[Piece]:
    """Yield the known words of a run, and what lies between two of them as one piece."""
    at = begin = 0
    while at < len(run):
        length = _longest(run, at, known)
        if length:
            if at > begin:
                yield Piece(begin, at)
            yield Piece(at, at + length)
            begin = at + length
        at += length or 1
    if at > begin:
        yield Piece(begin, at)


def _longest(run: str, at: int, known: Container[str]) -> int:
    for length in range(min(LONGEST_WORD, len(run) - at), 0, -1):
        if run[at : at + length] in known:
            return length
    return 0
