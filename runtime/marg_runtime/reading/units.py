"""Turns a text into the units that patterns are written in: words, respelled, and marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from marg_runtime.reading.kinds import TokenClass
from marg_runtime.reading.reading import ReadToken
from marg_runtime.reading.segment import segment_words
from marg_runtime.reading.words import MARKS, Casing, Words, is_drawn_out, norms, shorten, split

_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Units:
    """A text as units; `owner[i]` is the index of the word that unit i belongs to, one word may hold several."""

    words: Words
    units: Sequence[str]
    owner: Sequence[int]

    def tokens(self, text: str, classes: Sequence[TokenClass]) -> tuple[ReadToken, ...]:
        """Return the words of the text, each with the class at its index."""
        words = self.words
        return tuple(
            ReadToken(text=text[start:end], start=start, end=end, token_class=token_class)
            for start, end, token_class in zip(words.starts, words.ends, classes, strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Speller:
    """How one language's texts become units.

    `rewrites` gives for one spelling the words that it stands for. In a language without spaces `dictionary` holds
    the words that a run is cut into; with spaces it is empty and unused.
    """

    casing: Casing
    rewrites: Mapping[str, tuple[str, ...]]
    dictionary: AbstractSet[str] = _NOTHING

    def units(self, text: str, *, known: AbstractSet[str] = _NOTHING) -> Units:
        """Return a text as units. With `known`, a drawn-out word is shortened to one of those words."""
        words = split(text, casing=self.casing)
        if self.dictionary:
            words = segment_words(words, self.dictionary)
        spelled: Sequence[str] = words.norms
        if known and is_drawn_out(text):
            spelled = [self._shortened(norm, known) for norm in spelled]
        if self.rewrites.keys().isdisjoint(spelled):
            return Units(words, spelled, range(len(spelled)))
        units: list[str] = []
        owner: list[int] = []
        for index, norm in enumerate(spelled):
            for unit in self.rewrites.get(norm) or (norm,):
                units.append(unit)
                owner.append(index)
        return Units(words, units, owner)

    def norms(self, text: str) -> Sequence[str]:
        """Return the units of a text alone, marks included."""
        if self.dictionary:
            return self.units(text).units
        found = norms(text, casing=self.casing)
        if self.rewrites.keys().isdisjoint(found):
            return found
        return [unit for norm in found for unit in self.rewrites.get(norm) or (norm,)]

    def spell(self, text: str) -> tuple[str, ...]:
        """Return the units of a text alone, marks left out."""
        return tuple(unit for unit in self.norms(text) if unit not in MARKS)

    def _shortened(self, norm: str, known: AbstractSet[str]) -> str:
        if norm in known or norm in self.rewrites or not is_drawn_out(norm):
            return norm
        return next((word for word in shorten(norm) if word in known or word in self.rewrites), norm)
