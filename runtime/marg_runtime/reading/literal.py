"""The post's rule word for word (R1): no phrases, no restating but the nouns of the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from marg_runtime.reading.automaton import NOUN
from marg_runtime.reading.echo import Echo, echo_of
from marg_runtime.reading.kinds import ReadingKind, TokenClass
from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import MARKS, QUESTION

_ROLES: tuple[tuple[str, TokenClass], ...] = (
    ("confirm", "confirm"),
    ("confirm_alone", "confirm"),
    ("deny", "deny"),
    ("polite", "polite"),
    ("filler", "filler"),
)


@dataclass(frozen=True, slots=True)
class Literal:
    """Plain only when every single word is a yes (or no) word, politeness, filler or a noun of the question."""

    name: str = "literal"

    def read(self, reply: str, question: Question, vocabulary: Vocabulary) -> Reading:
        """Return the reading of a reply."""
        units = vocabulary.speller.units(reply)
        classes = _classes(question.dialect, vocabulary)
        echo = echo_of(question, vocabulary)
        read_as: list[TokenClass] = ["mark"] * len(units.words.norms)
        for unit, owner in zip(units.units, units.owner, strict=True):
            token_class = _class_of(unit, classes, echo)
            if read_as[owner] != "unknown":
                read_as[owner] = token_class
        tokens = units.tokens(reply, read_as)
        why = [f"{t.text!r} is not in the word list" for t in tokens if t.token_class in ("unknown", "question")]
        if question.kind == "choice":
            why.append("a choice question is never answered yes or no")
        kind = "content" if why else _kind({token.token_class for token in tokens})
        return Reading(kind=kind, reader=self.name, language=vocabulary.language, tokens=tokens, why=tuple(why))


@lru_cache(maxsize=64)
def _classes(kind: str, vocabulary: Vocabulary) -> dict[str, TokenClass]:
    found: dict[str, TokenClass] = {}
    for role, token_class in _ROLES:
        for word in vocabulary.dialect_words(kind, role):
            found.setdefault(word, token_class)
    return found


def _class_of(unit: str, classes: Mapping[str, TokenClass], echo: Echo) -> TokenClass:
    if unit in MARKS:
        return "question" if unit == QUESTION else "mark"
    if unit in classes:
        return classes[unit]
    return "noun" if echo.bit(unit) & NOUN else "unknown"


def _kind(classes: set[TokenClass]) -> ReadingKind:
    if "confirm" in classes and "deny" not in classes:
        return "plain_yes"
    if "deny" in classes and "confirm" not in classes:
        return "plain_no"
    return "content"
