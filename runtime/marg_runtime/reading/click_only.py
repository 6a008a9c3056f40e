"""The strictest reader: only a tap answers; whatever is typed is content."""

from __future__ import annotations

from dataclasses import dataclass

from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import MARKS


@dataclass(frozen=True, slots=True)
class ClickOnly:
    """Reads every typed reply as content."""

    name: str = "click_only"

    def read(self, reply: str, question: Question, vocabulary: Vocabulary) -> Reading:
        """Return content, with the words of the reply as they are."""
        units = vocabulary.speller.units(reply)
        tokens = units.tokens(reply, ["mark" if norm in MARKS else "filler" for norm in units.words.norms])
        why = ("only a tap answers here",)
        return Reading(kind="content", reader=self.name, language=vocabulary.language, tokens=tokens, why=why)
