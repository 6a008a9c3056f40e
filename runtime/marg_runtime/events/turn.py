"""How a session, a turn and a reading of a reply stand in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from marg_runtime.acts import Act, PageMove
from marg_runtime.tools.tool import ToolName


@dataclass(frozen=True, kw_only=True)
class PinnedTool:
    """A tool as the session saw it when it opened: any later difference makes it another tool."""

    tool: ToolName
    identity: str
    schema_digest: str


@dataclass(frozen=True, kw_only=True)
class PinnedStep:
    """A step as the session asked it when it opened; `digest` is of all that a person sees of it and can answer."""

    key: str
    slots: tuple[str, ...]
    required_slots: tuple[str, ...]
    digest: str


@dataclass(frozen=True, kw_only=True)
class TokenRead:
    """A token of a reply and the class that the reader gave it."""

    text: str
    token_class: str


@dataclass(frozen=True, kw_only=True)
class SessionOpened:
    """The session began, or went on under another vocabulary, skill text, steps or tools, or on another channel.

    steps: those of the domain, the confirmation and the review; none where an earlier release opened it. in_order: the
    channel delivers in order, so that an act with no `seen` has seen the last answer; False where an earlier release
    opened it.
    """

    version: ClassVar[int] = 2
    session: str
    domain: str
    language: str
    reader: str
    vocabulary_digest: str
    skill_digest: str
    tools: tuple[PinnedTool, ...]
    steps: tuple[PinnedStep, ...] = ()
    in_order: bool = False


@dataclass(frozen=True, kw_only=True)
class ActQueued:
    """An act arrived; it waits for its turn."""

    version: ClassVar[int] = 2
    act: Act


@dataclass(frozen=True, kw_only=True)
class ActDropped:
    """An act that could not even be begun was taken off the queue, so that it does not stop those behind it."""

    version: ClassVar[int] = 1
    act: int
    error: str


@dataclass(frozen=True, kw_only=True)
class UserSaid:
    """A turn began with a typed message. `act` is the revision at which it was queued."""

    version: ClassVar[int] = 1
    act: int
    text: str
    seen: int | None


@dataclass(frozen=True, kw_only=True)
class UserTapped:
    """A turn began with a tap on an option (`o1` is the first) of a question, as it was drawn at `question_revision`.

    act: the revision at which it was queued. seen: the revision of the last answer that its client had displayed, None
    where it could not tell.
    """

    version: ClassVar[int] = 1
    act: int
    question: str
    question_revision: int
    option: str
    seen: int | None


@dataclass(frozen=True, kw_only=True)
class FormSubmitted:
    """A turn began with submitted fields or chosen options."""

    version: ClassVar[int] = 2
    act: int
    question: str
    question_revision: int
    values: Mapping[str, str]
    seen: int | None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PickerSearched:
    """A turn began with a search in a picker, or with a move to another page of it."""

    version: ClassVar[int] = 1
    act: int
    question: str
    question_revision: int
    query: str | None
    page: PageMove
    seen: int | None


@dataclass(frozen=True, kw_only=True)
class Reloaded:
    """A turn began with a reload."""

    version: ClassVar[int] = 1
    act: int
    seen: int | None


@dataclass(frozen=True, kw_only=True)
class ReplyRead:
    """What the reader made of the typed message, and of which question (None: of none)."""

    version: ClassVar[int] = 2
    kind: Literal["plain_yes", "plain_no", "choice", "content"]
    reader: str
    language: str
    question: str | None
    tokens: tuple[TokenRead, ...]
    why: tuple[str, ...]
    choice: str | None
    choices: tuple[str, ...] = ()


Outcome = Literal["answer", "go_ahead", "decline", "skip", "review", "cancel", "correct", "digress"]


@dataclass(frozen=True, kw_only=True)
class ReplyOutcome:
    """What a typed message came to while a question was open.

    answer: it was taken as the answer; skip: it ended the step without a value; review: it opened or answered the
    review; cancel: it called off what was asked; correct: it changed what had been settled; digress: it did nothing of
    these, and the question stands as it was.
    """

    version: ClassVar[int] = 1
    outcome: Outcome
    question: str


@dataclass(frozen=True, kw_only=True)
class AnswerRefused:
    """A tap or a submit that answers nothing that is open."""

    version: ClassVar[int] = 1
    reason: Literal["stale", "unknown_option", "undelivered", "wrong_kind", "unusable"]
    question: str


@dataclass(frozen=True, kw_only=True)
class LineSaid:
    """A line of the runtime's own."""

    version: ClassVar[int] = 1
    text: str


@dataclass(frozen=True, kw_only=True)
class AnswerDelivered:
    """The turn's answer was handed to the client; `question` is the block that it showed, if any.

    received: False where nobody was there to get it, since its caller was gone: what it showed is not delivered.
    """

    version: ClassVar[int] = 2
    question: str | None
    received: bool = True


@dataclass(frozen=True, kw_only=True)
class TurnAbandoned:
    """A turn whose worker died was closed on takeover."""

    version: ClassVar[int] = 1
