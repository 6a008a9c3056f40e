"""Reads a whole reply into segments: each phrase with its role, each word with its class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from marg_runtime.reading.automaton import NOUN, VALUE, VERB, Automaton
from marg_runtime.reading.echo import Echo, Marked
from marg_runtime.reading.kinds import TokenClass
from marg_runtime.reading.reading import ReadToken
from marg_runtime.reading.units import Units
from marg_runtime.reading.words import MARKS, QUESTION, has_digit

_CLASS_OF_ROLE: dict[str, TokenClass] = {
    "confirm": "confirm",
    "confirm_alone": "confirm",
    "deny": "deny",
    "praise": "praise",
    "satisfied": "praise",
    "closing": "closing",
    "deferral": "hedge",
    "calling_off": "closing",
    "onward": "confirm",
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

    units: Sequence[str]
    bits: Sequence[int]
    segments: Sequence[Segment]

    def roles(self) -> set[str]:
        """Return the roles that occur."""
        return {segment.role for segment in self.segments}

    def text_of(self, segment: Segment) -> str:
        """Return the words of a segment as they are compared."""
        return " ".join(self.units[segment.start : segment.end])

    def tokens(self, reply: str, placed: Units) -> tuple[ReadToken, ...]:
        """Return each word of the reply with its class; `placed` holds the same units with their places."""
        classes: list[TokenClass] = ["mark"] * len(placed.words.norms)
        for segment in self.segments:
            for unit in range(segment.start, segment.end):
                classes[placed.owner[unit]] = _class_of(segment.role, self.bits[unit] if self.bits else 0)
        return placed.tokens(reply, classes)


def _class_of(role: str, bit: int) -> TokenClass:
    if role != "echo":
        return _CLASS_OF_ROLE[role]
    if bit & VALUE:
        return "value"
    if bit & NOUN:
        return "noun"
    return "verb" if bit & VERB else "filler"


def read_message(units: Sequence[str], *, automaton: Automaton, echo: Echo | None) -> Message:
    """Cut the units of a reply into segments, from the left, the longest phrase first.

    A unit that no phrase begins with is a segment of its own. Without an echo the question lends nothing.
    """
    marked = Marked(units, (), ()) if echo is None else echo.mark(units)
    segments: list[Segment] = []
    at, start = 0, 0
    while at < len(marked.units):
        match = automaton.longest(marked.units, marked.bits, at)
        length = 1 if match is None else match.length
        end = start + (sum(marked.widths[at : at + length]) if marked.widths else length)
        if match is not None:
            segments.append(Segment(match.role, start, end))
        elif marked.units[at] not in MARKS or marked.units[at] == QUESTION:
            segments.append(Segment(_role_without_match(marked.units[at]), start, end))
        at, start = at + length, end
    return Message(units=units, bits=_spread(marked), segments=segments)


def _role_without_match(unit: str) -> str:
    if unit == QUESTION:
        return "question"
    return "digit" if has_digit(unit) else "unknown"


def _spread(marked: Marked) -> Sequence[int]:
    """Return the bits of the units as they were before values were joined."""
    if not marked.widths:
        return marked.bits
    return [bit for bit, width in zip(marked.bits, marked.widths, strict=True) for _ in range(width)]
