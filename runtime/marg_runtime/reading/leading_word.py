"""The post's baseline: a reply that starts with a yes word is a yes. Kept to be measured against, never to be used."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from marg_runtime.reading.kinds import ReadingKind, TokenClass
from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading
from marg_runtime.reading.schema import DIALECTS
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import MARKS

_KINDS: dict[TokenClass, ReadingKind] = {"confirm": "plain_yes", "deny": "plain_no"}


@dataclass(frozen=True, slots=True)
class LeadingWord:
    """Looks at the first word alone and asks whether any dialect of the vocabulary has it as a yes or a no."""

    name: str = "leading_word"

    def read(self, reply: str, question: Question, vocabulary: Vocabulary) -> Reading:
        """Return the reading of a reply."""
        yes, no = _words(vocabulary)
        units = vocabulary.speller.units(reply)
        classes: list[TokenClass] = ["mark" if norm in MARKS else "filler" for norm in units.words.norms]
        first = next((index for index, unit in enumerate(units.units) if unit not in MARKS), None)
        if first is not None:
            unit = units.units[first]
            classes[units.owner[first]] = "confirm" if unit in yes else "deny" if unit in no else "unknown"
        tokens = units.tokens(reply, classes)
        kind: ReadingKind = next((_KINDS[t.token_class] for t in tokens if t.token_class in _KINDS), "content")
        why = "the first word alone decides" if kind != "content" else "the first word is no yes and no no"
        return Reading(kind=kind, reader=self.name, language=vocabulary.language, tokens=tokens, why=(why,))


@lru_cache(maxsize=64)
def _words(vocabulary: Vocabulary) -> tuple[frozenset[str], frozenset[str]]:
    yes = frozenset[str]().union(
        *(vocabulary.dialect_words(kind, role) for kind in DIALECTS for role in ("confirm", "confirm_alone"))
    )
    no = frozenset[str]().union(*(vocabulary.dialect_words(kind, "deny") for kind in DIALECTS))
    return yes, no - yes
