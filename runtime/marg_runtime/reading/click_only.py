"""The strictest reader: only a tap answers; whatever is typed is content."""

from __future__ import annotations

from dataclasses import dataclass

from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading, ReadToken
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import MARKS


@dataclass(frozen=True, slots=True)
class ClickOnly:
    """Reads every typed reply as content."""

    name: str = "click_only"

    def read(self, reply: str, question: Question, vocabulary: Vocabulary) -> Reading:
        """Return content, with the words of the reply as they are."""
        words = vocabulary.units(reply).words
        tokens = tuple(
            ReadToken(reply[w.start : w.end], w.start, w.end, "mark" if w.norm in MARKS else "filler") for w in words
        )
        why = ("only a tap answers here",)
        return Reading(kind="content", reader=self.name, language=vocabulary.language, tokens=tokens, why=why)
