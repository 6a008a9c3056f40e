"""What can be seen of one turn; the checks look at nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from marg_runtime.acts import Act
from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_runtime.conversation import FactsMessage, ModelRequest
from marg_runtime.draft import Draft
from marg_runtime.ledger import Entry
from marg_runtime.models.recorded import RecordedReply
from marg_runtime.parts import EVERY_PART, Part
from marg_runtime.tools.tool import ToolSpec
from marg_runtime.wire import WireEvent

_E = TypeVar("_E")


@dataclass(frozen=True, kw_only=True)
class Observation:
    """One turn, seen from outside.

    shown_before: the block that was open before the act. entries: the turn's part of the ledger. draft: as the turn
    left it; draft_before: as it found it. question: the step whose question is open then. requests: what the model
    itself received in this turn; told_before: how many facts its last request before that had. rule: the sentence that
    each request should carry. writes: how many writes more the backend itself counts; rehearsed: how many more its
    double took. answered: False where the runtime's process died before it could answer. tools: as listed last.
    machine: what of the mock machine answered, by `file:line`; slips: their kinds. wire: what happened on the wire.
    replies: what the model said, where that is put on record.
    parts: what of all this the target reports; the rest is empty because nobody knows.
    """

    act: Act
    shown_before: Block | None
    answer: Answer
    entries: tuple[Entry, ...]
    draft: Draft
    draft_before: Draft
    question: str | None
    requests: tuple[ModelRequest, ...]
    told_before: int
    rule: str
    writes: int
    rehearsed: int = 0
    answered: bool = True
    tools: tuple[ToolSpec, ...] = ()
    machine: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()
    wire: tuple[WireEvent, ...] = ()
    replies: tuple[RecordedReply, ...] = ()
    parts: frozenset[Part] = EVERY_PART

    def events(self, kind: type[_E]) -> list[_E]:
        """The turn's events of a kind, in order."""
        return [entry.event for entry in self.entries if isinstance(entry.event, kind)]

    def texts(self, by: str) -> list[str]:
        """The answer's texts of the model's or of the runtime's, in order."""
        return [said.text for said in self.answer.texts if said.by == by]

    def facts_received(self) -> list[str]:
        """The facts that the model was told for the first time in this turn, in order; history only grows."""
        return facts_of(self.requests[-1])[self.told_before :] if self.requests else []


def facts_of(request: ModelRequest) -> list[str]:
    """All facts that a request carries, in order."""
    return [fact for message in request.messages if isinstance(message, FactsMessage) for fact in message.facts]
