"""The post's rule word for word (R1): no phrases, no restating but the nouns of the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from marg_runtime.reading.automaton import NOUN
from marg_runtime.reading.echo import echo_of
from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading, ReadingKind, ReadToken, TokenClass
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.whole_message import dialect_of
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
        units = vocabulary.units(reply)
        classes = _classes(dialect_of(question), vocabulary)
        bits = echo_of(question, vocabulary).bits
        read_as: list[TokenClass] = ["mark"] * len(units.words)
        for unit, owner in zip(units.units, units.owner, strict=True):
            token_class = _class_of(unit, classes, bits)
            if read_as[owner] != "unknown":
                read_as[owner] = token_class
        tokens = tuple(
            ReadToken(reply[word.start : word.end], word.start, word.end, token_class)
            for word, token_class in zip(units.words, read_as, strict=True)
        )
        why = [f"{t.text!r} is not in the word list" for t in tokens if t.token_class in ("unknown", "question")]
        if question.kind == "choice":
            why.append("a choice question is never answered yes or no")
        kind = "content" if why else _kind({token.token_class for token in tokens})
        return Reading(kind=kind, reader=self.name, language=vocabulary.language, tokens=tokens, why=tuple(why))


def _classes(kind: str, vocabulary: Vocabulary) -> dict[str, TokenClass]:
    found: dict[str, TokenClass] = {}
    for role, token_class in _ROLES:
        for word in vocabulary.dialect_words(kind, role):
            found.setdefault(word, token_class)
    return found


def _class_of(unit: str, classes: Mapping[str, TokenClass], bits: Mapping[str, int]) -> TokenClass:
    if unit in MARKS:
        return "question" if unit == QUESTION else "mark"
    if unit in classes:
        return classes[unit]
    return "noun" if bits.get(unit, 0) & NOUN else "unknown"


def _kind(classes: set[TokenClass]) -> ReadingKind:
    if "confirm" in classes and "deny" not in classes:
        return "plain_yes"
    if "deny" in classes and "confirm" not in classes:
        return "plain_no"
    return "content"
