"""What shape a question has: whether a yes or a no can answer it, and which way round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import MARKS, QUESTION, STOP

_ENDS = frozenset({STOP, QUESTION})


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
    if not text:
        return Shape()
    sentence = last_question(vocabulary.speller.norms(text))
    found: set[str] = set()
    at, matcher = 0, vocabulary.question
    while at < len(sentence):
        match = matcher.longest(sentence, (), at) if matcher.can_start(sentence[at]) else None
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
    ends = [at for at, unit in enumerate(units) if unit in _ENDS]
    asked = [at for at in ends if units[at] == QUESTION]
    end = asked[-1] + 1 if asked else len(units)
    # Marks at the end of the text ("...") close a sentence but make none.
    while end > 0 and not asked and units[end - 1] in MARKS:
        end -= 1
    start = max((at + 1 for at in ends if at < end - 1), default=0)
    return list(units[start:end])
