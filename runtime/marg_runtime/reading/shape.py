"""What shape a question has: whether a yes or a no can answer it, and which way round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from marg_runtime.reading.vocabulary import Vocabulary, question_units
from marg_runtime.reading.words import MARKS, QUESTION, STOP

_AT_THE_START = frozenset({"open", "negative"})
_ENDS = frozenset({STOP, QUESTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the last question of a text is.

    `choice`: it offers two things ("A or B?"). `open`: it asks for more than yes or no ("which one?"). `inverted`: a
    yes does not mean go ahead ("do you mind?"). `action`: it asks whether to do something ("shall I book it?").
    `more`: it asks for anything else. `stopping`: it asks whether to stop or undo something. `untold`: there is no text
    to tell.
    """

    choice: bool = False
    open: bool = False
    inverted: bool = False
    action: bool = False
    more: bool = False
    stopping: bool = False
    untold: bool = False


@lru_cache(maxsize=1024)
def shape_of(text: str, vocabulary: Vocabulary) -> Shape:
    """Return the shape of a question's text; of a blank text only that it may have asked for an action is known."""
    if not text.strip():
        return Shape(action=True, untold=True)
    units = question_units(text, vocabulary)
    last = _last_question(units)
    found = _roles(units[last.start : last.stop], vocabulary)
    # What is offered in place of something that could not be had asks for a yes; the regret may stand before it.
    replaces = "replacement" in found or "replacement" in _roles(units[: last.start], vocabulary)
    return Shape(
        choice="choice" in found,
        open="open" in found,
        inverted="inverted" in found or "negative" in found,
        stopping="stopping" in found,
        action="action" in found or replaces,
        more="more" in found,
    )


def _roles(sentence: Sequence[str], vocabulary: Vocabulary) -> set[str]:
    found: set[str] = set()
    at, opens, matcher, particles = 0, True, vocabulary.question, 0
    while at < len(sentence):
        match = matcher.longest(sentence, (), at) if matcher.can_start(sentence[at]) else None
        # "which" opens a question only where the sentence begins; elsewhere it is a relative.
        if match is not None and (match.role not in _AT_THE_START or opens):
            found.add(match.role)
            particles += match.role == "twice"
        opens = opens and (sentence[at] in MARKS or (match is not None and match.role == "lead"))
        at += match.length if match is not None else 1
    # "tea mi coffee mi": one such particle asks for yes or no, two of them offer a choice.
    return found | {"choice"} if particles > 1 else found


def _last_question(units: Sequence[str]) -> range:
    """Return the places of the last sentence that ends with a question mark, else of the last sentence."""
    ends = [at for at, unit in enumerate(units) if unit in _ENDS]
    asked = [at for at in ends if units[at] == QUESTION]
    end = asked[-1] + 1 if asked else len(units)
    # Marks at the end of the text ("...") close a sentence but make none.
    while end > 0 and not asked and units[end - 1] in MARKS:
        end -= 1
    return range(max((at + 1 for at in ends if at < end - 1), default=0), end)
