"""What shape a question has: whether a yes or a no can answer it, and which way round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import MARKS, QUESTION, STOP


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the last question of a text is.

    `choice`: it offers two things ("A or B?"). `open`: it asks for more than yes or no ("which one?"). `inverted`: a
    yes does not mean go ahead ("do you mind?"). `action`: it asks whether to do something ("shall I book it?").
    """

    choice: bool = False
    open: bool = False
    inverted: bool = False
    action: bool = False


@lru_cache(maxsize=2048)
def shape_of(text: str, vocabulary: Vocabulary) -> Shape:
    """Return the shape of a question's text; a blank text has none of the shapes."""
    sentence = last_question(vocabulary.units(text).units)
    found: set[str] = set()
    at, bits = 0, [0] * len(sentence)
    while at < len(sentence):
        match = vocabulary.question.longest(sentence, bits, at)
        if match is None:
            at += 1
            continue
        # "which" opens a question only where a clause begins; elsewhere it is a relative.
        if match.role != "open" or at == 0 or sentence[at - 1] in MARKS:
            found.add(match.role)
        at += match.length
    return Shape(choice="choice" in found, open="open" in found, inverted="inverted" in found, action="action" in found)


def last_question(units: Sequence[str]) -> list[str]:
    """Return the units of the last sentence that ends with a question mark, else of the last sentence."""
    sentences: list[list[str]] = [[]]
    for unit in units:
        sentences[-1].append(unit)
        if unit in (STOP, QUESTION):
            sentences.append([])
    spoken = [sentence for sentence in sentences if any(unit not in MARKS for unit in sentence)]
    asked = [sentence for sentence in spoken if sentence[-1] == QUESTION]
    return (asked or spoken or [[]])[-1]
