"""The default reader: a reply is plain only when its whole content is agreement or refusal (R1 to R9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from marg_runtime.reading.asking import units_ask
from marg_runtime.reading.echo import echo_of
from marg_runtime.reading.message import Message, read_message
from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Explanation, LazyReading, Reading, ReadingKind
from marg_runtime.reading.schema import READABLE_ROLES
from marg_runtime.reading.shape import Shape, shape_of
from marg_runtime.reading.stranger import holds_stranger
from marg_runtime.reading.vocabulary import Vocabulary

_YES = frozenset({"confirm", "confirm_alone", "praise"})
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
        if holds_stranger(reply, question, vocabulary):
            return self._lazy("content", lambda: _explain(reply, question, vocabulary), vocabulary)
        message = _message(reply, question, vocabulary)
        verdict = _decide(message, question, vocabulary)
        return self._lazy(verdict.kind, lambda: _explanation(reply, message, verdict, vocabulary), vocabulary)

    def _lazy(self, kind: ReadingKind, explain: Callable[[], Explanation], vocabulary: Vocabulary) -> Reading:
        return LazyReading(kind=kind, reader=self.name, language=vocabulary.language, explain=explain)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A kind of reading and what it rests on."""

    kind: ReadingKind
    why: tuple[str, ...]


def _message(reply: str, question: Question, vocabulary: Vocabulary) -> Message:
    automaton = vocabulary.dialect(question.kind)
    return read_message(reply, vocabulary=vocabulary, automaton=automaton, echo=echo_of(question, vocabulary))


def _explain(reply: str, question: Question, vocabulary: Vocabulary) -> Explanation:
    message = _message(reply, question, vocabulary)
    return _explanation(reply, message, _decide(message, question, vocabulary), vocabulary)


def _explanation(reply: str, message: Message, verdict: Verdict, vocabulary: Vocabulary) -> Explanation:
    asking = units_ask(vocabulary.speller.norms(reply), vocabulary)
    return Explanation(tokens=message.tokens(reply), why=verdict.why, asks=asking)


def _decide(message: Message, question: Question, vocabulary: Vocabulary) -> Verdict:
    kind, shape, reads = question.kind, shape_of(question.text, vocabulary), vocabulary.reads(question.kind)
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
    read_as = reads.get(role, "echo" if role == "echo" else "content")
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
