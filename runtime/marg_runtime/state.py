"""The state of a session: what the fold over its ledger gives, and nothing that is kept anywhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from marg_runtime.acts import Act
from marg_runtime.block import Row
from marg_runtime.canonical import Json
from marg_runtime.conversation import FactsMessage, Message, UserMessage, chain
from marg_runtime.draft import Draft, Value
from marg_runtime.events.step import QuestionDrawn
from marg_runtime.events.turn import Outcome, PinnedTool, SessionOpened
from marg_runtime.tools.tool import ToolName

EffectKind = Literal["model", "tool", "options", "write"]
WriteStatus = Literal["claimed", "done", "unknown"]


@dataclass(frozen=True, kw_only=True)
class QueuedAct:
    """An act that waits for its turn, and the revision at which it was queued."""

    revision: int
    at: int
    act: Act


@dataclass(frozen=True, kw_only=True)
class OpenQuestion:
    """The one question that can be answered now.

    revision: where it was opened; redraws keep it. opened_in, delivered_in: turns. delivered_at: the revision at which
    its answer was delivered. Both are None until then. strayed: replies that answered nothing since it was opened.
    """

    drawn: QuestionDrawn
    revision: int
    opened_in: int
    delivered_in: int | None = None
    delivered_at: int | None = None
    strayed: int = 0

    @property
    def id(self) -> str:
        """The question's id, unique in the session."""
        return self.drawn.question

    @property
    def step(self) -> str:
        """The key of the step that asks."""
        return self.drawn.step


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What the open confirmation stands for, and the time at which it was drawn."""

    question: str
    draft: str
    arguments: Mapping[str, Json]
    fingerprint: str
    at: int = 0


@dataclass(frozen=True, kw_only=True)
class Pending:
    """An effect that was begun and has no result yet; `key` is the call's id, the step's key or the write's key."""

    kind: EffectKind
    key: str


@dataclass(frozen=True, kw_only=True)
class Write:
    """The last write that was claimed; `question` is the summary that the go-ahead answered, opened at `asked_at`.

    done_at: the revision at which the backend had done it. rows: what was written, as a person reads it; none where
    that is not known. again: a write of its key had been tried before.
    """

    key: str
    draft: str
    tool: ToolName
    fingerprint: str
    status: WriteStatus
    question: str
    asked_at: int
    done_at: int | None = None
    text: str = ""
    rows: tuple[Row, ...] = ()
    again: bool = False


@dataclass(frozen=True, kw_only=True)
class State:
    """Everything that `decide` may know of a session.

    ended: settled and skipped steps. since: for each step that ever ended in this draft, the number of messages that
    the user had said when it last did. former: the values of re-opened steps by step and slot, as they were;
    revised: those of them that were re-opened for a change of their own, which can be called off.
    asked: the question that was open when the turn's message came; outcome: what the message came to, once it is
    known; changed: a step was settled or re-opened in this turn. spent: the confirmation that was answered last.
    opened: how the session was opened last. requests, requests_with_rule: model requests so far, and how many carried
    the skill's rule.
    awaiting: the model's calls that have no result yet. telling: facts that go with the request being made.
    chained: the `chain` of the messages. interrupted: something was abandoned on takeover, and no answer has said so
    yet.
    written_since: the number of messages that the user had said when a draft was last written: words from before that
    belong to what was written.
    receipt_owed: the turn that wrote was abandoned, and nobody may have seen its receipt.
    acting: the act whose turn it is, until its answer. absent: the last write of this draft that a lookup found was
    never done; the next one goes under its key. receipts: what the writes of this session are called, in order.
    """

    opened: SessionOpened | None = None
    session: str = ""
    domain: str = ""
    language: str = ""
    tools: tuple[PinnedTool, ...] = ()
    revision: int = 0
    turn: int = 0
    turn_open: bool = False
    interrupted: bool = False
    at: int = 0
    queue: tuple[QueuedAct, ...] = ()
    draft: Draft = field(default_factory=lambda: Draft(id="draft-1"))
    drafts: int = 1
    ended: frozenset[str] = frozenset()
    since: Mapping[str, int] = field(default_factory=dict)
    written_since: int = 0
    reopened: str | None = None
    former: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    revised: frozenset[str] = frozenset()
    question: OpenQuestion | None = None
    questions: int = 0
    spent: OpenQuestion | None = None
    summary: Summary | None = None
    facts: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    asked: str | None = None
    outcome: Outcome | None = None
    changed: bool = False
    unsent: str | None = None
    messages: tuple[Message, ...] = ()
    chained: str = ""
    model_calls: int = 0
    requests: int = 0
    requests_with_rule: int = 0
    awaiting: tuple[str, ...] = ()
    pending: tuple[Pending, ...] = ()
    write: Write | None = None
    acting: QueuedAct | None = None
    absent: Write | None = None
    receipts: tuple[str, ...] = ()
    receipt_owed: bool = False

    @property
    def draft_write(self) -> Write | None:
        """The last claimed write, where it is of the present draft."""
        return self.write if self.write and self.write.draft == self.draft.id else None

    @property
    def write_question(self) -> str | None:
        """The id of the confirmation that the last claimed write answered."""
        return self.write.question if self.write else None

    def unheard(self) -> tuple[Message, ...]:
        """What the model has not been sent and is with the next request: the facts that go now, the words not sent."""
        facts = (FactsMessage(facts=self.telling),) if self.telling else ()
        words = (UserMessage(text=self.unsent),) if self.unsent is not None else ()
        return (*facts, *words)

    @property
    def now(self) -> int:
        """The latest time that the ledger knows of: that of the last entry, or of an act that waits behind it."""
        acts = (*self.queue, self.acting) if self.acting else self.queue
        return max((self.at, *(act.at for act in acts)))

    def outgoing(self) -> tuple[Message, ...]:
        """The messages of the next model request: the history, and what is new."""
        return (*self.messages, *self.unheard())

    def outgoing_chain(self) -> str:
        """The `chain` of the messages of the next model request."""
        return chain(self.chained, *self.unheard())
