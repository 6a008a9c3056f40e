"""The default reader: a reply is plain only when its whole content is agreement or refusal (R1 to R9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from marg_runtime.reading.echo import echo_of
from marg_runtime.reading.message import Message, read_message
from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading, ReadingKind
from marg_runtime.reading.schema import CONTENT_ROLES, READABLE_ROLES
from marg_runtime.reading.shape import Shape, shape_of
from marg_runtime.reading.vocabulary import Vocabulary

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
        kind = dialect_of(question)
        shape = shape_of(question.text, vocabulary)
        automaton = vocabulary.dialect(kind)
        message = read_message(reply, vocabulary=vocabulary, automaton=automaton, echo=echo_of(question, vocabulary))
        verdict = _decide(message, kind, shape, question, vocabulary.reads(kind))
        return Reading(
            kind=verdict.kind,
            reader=self.name,
            language=vocabulary.language,
            tokens=message.tokens(reply),
            why=verdict.why,
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """A kind of reading and what it rests on."""

    kind: ReadingKind
    why: tuple[str, ...]


def dialect_of(question: Question) -> str:
    """Return the dialect that a question is read in; a question with no text is a generic confirmation."""
    if question.kind == "other" and not question.text.strip():
        return "confirm"
    return question.kind


def _decide(message: Message, kind: str, shape: Shape, question: Question, reads: Mapping[str, str]) -> Verdict:
    shut = _shut(shape, question, kind)
    if shut:
        return Verdict("content", (shut,))
    said = message.roles()
    as_read = [_read_as(segment.role, said, shape, reads) for segment in message.segments]
    stopping = [
        f"{message.text_of(segment)!r} {_WHY_ROLE[role]}"
        for segment, role in zip(message.segments, as_read, strict=True)
        if role in _WHY_ROLE
    ]
    if stopping:
        return Verdict("content", tuple(stopping))
    roles = set(as_read)
    yes = bool(roles & {"confirm", "confirm_alone"})
    if yes and "deny" in roles:
        return Verdict("content", ("it says both yes and no",))
    if "echo" in roles and ("deny" in roles or "confirm_alone" in roles):
        return Verdict("content", ("it names more than the answer",))
    if not yes and "deny" not in roles:
        return Verdict("content", ("it holds no word that answers the question",))
    return _plain(yes, inverted=question.polarity == "inverted")


def _plain(yes: bool, *, inverted: bool) -> Verdict:
    if inverted:
        kind: ReadingKind = "plain_no" if yes else "plain_yes"
        return Verdict(kind, ("the whole message answers an inverted question",))
    return Verdict("plain_yes" if yes else "plain_no", ("the whole message is an answer and nothing else",))


def _shut(shape: Shape, question: Question, kind: str) -> str:
    """Return why no reply to this question is plain, or nothing."""
    if kind == "choice" or question.options:
        return "a choice question is never answered yes or no"
    if shape.choice:
        return "the question offers a choice"
    if shape.open and kind not in ("more", "optional"):
        return "the question asks for more than yes or no"
    if shape.inverted and question.polarity is None:
        return "a yes to this question may mean no; its polarity is not declared"
    return ""


def _read_as(role: str, roles: set[str], shape: Shape, reads: Mapping[str, str]) -> str:
    """Return what a segment counts as in this dialect, beside the other segments of the reply."""
    if role in CONTENT_ROLES or role not in READABLE_ROLES:
        return role
    read_as = reads.get(role, "content")
    if read_as == "with_deny":
        return "filler" if "deny" in roles else "with_deny"
    if read_as == "action":
        if "deny" in roles:
            return "filler"
        return "confirm" if shape.action else "content"
    return read_as
