"""The default reader: a reply is plain only when its whole content is agreement or refusal (R1 to R9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from marg_runtime.reading.asking import units_ask
from marg_runtime.reading.automaton import Automaton
from marg_runtime.reading.echo import echo_of
from marg_runtime.reading.kinds import ReadingKind
from marg_runtime.reading.lazy_reading import Explanation, LazyReading
from marg_runtime.reading.message import Message, read_message
from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading
from marg_runtime.reading.schema import CONTENT_ROLES, READABLE_ROLES
from marg_runtime.reading.shape import Shape, shape_of
from marg_runtime.reading.stranger import borrows, holds_stranger
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import is_drawn_out

_YES = frozenset({"confirm", "confirm_alone", "praise"})
# Roles that make a reply content in every dialect.
_STOPS = frozenset({*CONTENT_ROLES, "unknown"})
_WHY_ROLE = {
    "hedge": "is a hedge",
    "change": "asks for something else",
    "question": "asks",
    "digit": "is a number that no shown value holds",
    "unknown": "is no part of an answer",
    "with_deny": "is no answer to this question on its own",
    "content": "is no answer to this kind of question",
}


@dataclass(frozen=True, slots=True)
class WholeMessage:
    """Reads the whole message against the question; see design rules R1 to R9."""

    name: str = "whole_message"

    def read(self, reply: str, question: Question, vocabulary: Vocabulary) -> Reading:
        """Return the reading. Never raises on any text; takes time linear in its length."""
        automaton = vocabulary.dialect(question.dialect)
        units = _units(reply, vocabulary, automaton)
        if holds_stranger(units, question, vocabulary=vocabulary, automaton=automaton):
            return self._lazy(
                "content",
                lambda: _explain(reply, _message(units, question, vocabulary), question, vocabulary),
                vocabulary,
            )
        message = _message(units, question, vocabulary)
        kind: ReadingKind = "content"
        if _STOPS.isdisjoint(message.roles()):
            kind = _decide(message, question, vocabulary).kind
        return self._lazy(kind, lambda: _explain(reply, message, question, vocabulary), vocabulary)

    def _lazy(self, kind: ReadingKind, explain: Callable[[], Explanation], vocabulary: Vocabulary) -> Reading:
        return LazyReading(kind=kind, reader=self.name, language=vocabulary.language, explain=explain)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A kind of reading and what it rests on."""

    kind: ReadingKind
    why: tuple[str, ...]


def _units(reply: str, vocabulary: Vocabulary, automaton: Automaton) -> Sequence[str]:
    """Return the units of a reply; their places are only worked out for an explanation."""
    if is_drawn_out(reply):
        return vocabulary.speller.units(reply, known=automaton.words).units
    return vocabulary.speller.norms(reply)


def _message(units: Sequence[str], question: Question, vocabulary: Vocabulary) -> Message:
    echo = echo_of(question, vocabulary) if borrows(units, question, vocabulary) else None
    return read_message(units, automaton=vocabulary.dialect(question.dialect), echo=echo)


def _explain(reply: str, message: Message, question: Question, vocabulary: Vocabulary) -> Explanation:
    placed = vocabulary.speller.units(reply, known=vocabulary.dialect(question.dialect).words)
    return Explanation(
        tokens=message.tokens(reply, placed),
        why=_decide(message, question, vocabulary).why,
        asks=units_ask(vocabulary.speller.norms(reply), vocabulary),
    )


def _decide(message: Message, question: Question, vocabulary: Vocabulary) -> Verdict:
    kind, shape, reads = question.kind, shape_of(question.text, vocabulary), vocabulary.reads(question.dialect)
    shut = _shut(shape, question, kind)
    # "Keep it or change something?" and "anything to change?" are no yes-or-no questions, but "keep" answers them.
    if shut and not (kind == "review" and "confirm_alone" in message.roles()):
        return Verdict("content", (shut,))
    said = message.roles()
    denies = any(role == "deny" or reads.get(role) == "deny" for role in said)
    as_read = [_read_as(segment.role, denies, shape, reads) for segment in message.segments]
    stopping = [
        f"{message.text_of(segment)!r} {_WHY_ROLE[role]}"
        for segment, role in zip(message.segments, as_read, strict=True)
        if role in _WHY_ROLE
    ]
    if stopping:
        return Verdict("content", tuple(stopping))
    return _weigh(set(as_read), inverted=question.polarity == "inverted")


def _weigh(roles: set[str], *, inverted: bool) -> Verdict:
    """Return the verdict on a reply that holds nothing but answers and what adds nothing to them."""
    yes = not roles.isdisjoint(_YES)
    if yes and "deny" in roles:
        return Verdict("content", ("it says both yes and no",))
    # Beside praise alone ("great, book it") or "keep" the restating may be an instruction.
    if "echo" in roles and ("confirm" not in roles or "confirm_alone" in roles):
        return Verdict("content", ("it names more than the answer",))
    if not yes and "deny" not in roles:
        return Verdict("content", ("it holds no word that answers the question",))
    return _plain(yes, inverted=inverted)


def _plain(yes: bool, *, inverted: bool) -> Verdict:
    if inverted:
        kind: ReadingKind = "plain_no" if yes else "plain_yes"
        return Verdict(kind, ("the whole message answers an inverted question",))
    return Verdict("plain_yes" if yes else "plain_no", ("the whole message is an answer and nothing else",))


def _shut(shape: Shape, question: Question, kind: str) -> str:
    """Return why no reply to this question is plain, or nothing."""
    if kind == "choice" or question.options:
        return "a choice question is never answered yes or no"
    # An optional step may be skipped however it asks ("anything to add, or skip?").
    if kind == "optional":
        return ""
    if shape.choice:
        return "the question offers a choice"
    if shape.open and kind != "more":
        return "the question asks for more than yes or no"
    if shape.more and kind != "more":
        return "the question asks for anything else, which a no closes and a yes does not answer"
    if shape.inverted and question.polarity is None:
        return "a yes to this question may mean no; its polarity is not declared"
    return ""


def _read_as(role: str, denies: bool, shape: Shape, reads: Mapping[str, str]) -> str:
    """Return what a segment counts as in this dialect; `denies` where the reply holds a no."""
    if role not in READABLE_ROLES:
        return role
    if role == "onward":
        # "Continue" to "shall I cancel it?" may mean either.
        return "content" if shape.stopping or reads.get(role) == "content" else "confirm"
    read_as = reads.get(role, "echo" if role == "echo" else "content")
    if read_as == "untold":
        return "confirm" if shape.untold else "content"
    # "No thanks, I'm good" is a no, also where "I'm good" alone would be a yes.
    if denies and role == "satisfied" and read_as in ("confirm", "action"):
        return "filler"
    if read_as == "with_deny":
        return "filler" if denies else "with_deny"
    if read_as == "action":
        if denies and role != "echo":
            return "filler"
        return ("echo" if role == "echo" else "praise") if shape.action else "content"
    return "praise" if role == "praise" and read_as == "confirm" else read_as
