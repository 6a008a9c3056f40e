"""Reads a whole reply into segments: each phrase with its role, each word with its class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from marg_runtime.reading.automaton import NOUN, VALUE, VERB, Automaton
from marg_runtime.reading.echo import Echo
from marg_runtime.reading.reading import ReadToken, TokenClass
from marg_runtime.reading.vocabulary import Units, Vocabulary
from marg_runtime.reading.words import MARKS, QUESTION, has_digit

_CLASS_OF_ROLE: dict[str, TokenClass] = {
    "confirm": "confirm",
    "confirm_alone": "confirm",
    "deny": "deny",
    "praise": "praise",
    "satisfied": "praise",
    "closing": "closing",
    "polite": "polite",
    "filler": "filler",
    "hedge": "hedge",
    "change": "change",
    "question": "question",
    "digit": "digit",
    "unknown": "unknown",
}


@dataclass(frozen=True, slots=True)
class Segment:
    """Units `start` to `end` (exclusive) of a reply, read as one phrase of a role."""

    role: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A reply cut into segments. `bits` says of each unit what the question makes of it."""

    units: Units
    bits: Sequence[int]
    segments: Sequence[Segment]

    def roles(self) -> set[str]:
        """Return the roles that occur."""
        return {segment.role for segment in self.segments}

    def text_of(self, segment: Segment) -> str:
        """Return the words of a segment as they are compared."""
        return " ".join(self.units.units[segment.start : segment.end])

    def tokens(self, reply: str) -> tuple[ReadToken, ...]:
        """Return each word of the reply with its class."""
        words = self.units.words
        classes: list[TokenClass] = ["mark"] * len(words)
        for segment in self.segments:
            for unit in range(segment.start, segment.end):
                classes[self.units.owner[unit]] = _class_of(segment.role, self.bits[unit])
        return tuple(
            ReadToken(reply[word.start : word.end], word.start, word.end, kind)
            for word, kind in zip(words, classes, strict=True)
        )


def _class_of(role: str, bit: int) -> TokenClass:
    if role != "echo":
        return _CLASS_OF_ROLE[role]
    if bit & VALUE:
        return "value"
    if bit & NOUN:
        return "noun"
    return "verb" if bit & VERB else "filler"


def read_message(reply: str, *, vocabulary: Vocabulary, automaton: Automaton, echo: Echo) -> Message:
    """Cut a reply into segments, from the left, the longest phrase first; a word that none begins is unknown."""
    units = vocabulary.units(reply, automaton=automaton)
    joined, bits, widths = echo.mark(units.units)
    segments: list[Segment] = []
    at, start = 0, 0
    while at < len(joined):
        unit = joined[at]
        match = automaton.longest(joined, bits, at)
        length = 1 if match is None else match.length
        end = start + sum(widths[at : at + length])
        if match is not None:
            segments.append(Segment(match.role, start, end))
        elif unit not in MARKS or unit == QUESTION:
            segments.append(Segment(_role_without_match(unit), start, end))
        at, start = at + length, end
    return Message(units=units, bits=_spread(bits, widths), segments=segments)


def _role_without_match(unit: str) -> str:
    if unit == QUESTION:
        return "question"
    return "digit" if has_digit(unit) else "unknown"


def _spread(bits: Sequence[int], widths: Sequence[int]) -> list[int]:
    return [bit for bit, width in zip(bits, widths, strict=True) for _ in range(width)]
