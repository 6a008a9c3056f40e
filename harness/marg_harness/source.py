"""What plays the model's part in a conversation: in process, or over a wire that it keeps a log of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from marg_mock_model.machine import Transition
from marg_mock_model.slip import Slip, SlipKind
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.model import Model
from marg_runtime.wire import WireEvent, WireLog

WireApi = Literal["openai_chat", "openai_responses", "anthropic_messages"]
"""The APIs that a machine can be asked by over the wire."""


class Source(Model, Protocol):
    """What plays the model's part in one conversation, and what is known of how it did."""

    @property
    def taken(self) -> Sequence[Transition]:
        """The machine's transitions that answered, in order; empty where they are not known."""
        ...

    @property
    def slips(self) -> Sequence[Slip]:
        """The slips that happened, in order."""
        ...

    def slip_next(self, kind: SlipKind) -> None:
        """Have the next reply slip so, whatever would be drawn; `slips` says whether it could."""
        ...

    def stand_aside(self, request: ModelRequest, *, to: str | None = None) -> None:
        """Take note of a request that somebody else answers in its place; `to` is the state after it."""
        ...


@dataclass(frozen=True, kw_only=True)
class OverTheWire:
    """A wire to speak over: a real endpoint on loopback, asked by an official SDK.

    faults: a schedule of wire faults, as `marg mock serve --faults` takes it. read: seconds that a piece of a reply is
    waited for; retries: tries after the first. None is what the runtime itself does, so that a change of it shows.
    """

    api: WireApi
    faults: str = ""
    read: float | None = None
    retries: int | None = None

    def settings(self) -> dict[str, Json]:
        """What was asked for, as a run's record has it."""
        asked: dict[str, Json] = {"faults": self.faults or None, "read": self.read, "retries": self.retries}
        return {"over": self.api, **{name: value for name, value in asked.items() if value is not None}}


@dataclass(frozen=True, kw_only=True)
class Played:
    """A source that is open, and the log of its wire, which stays empty in process.

    recorded: whether what it says is put on record, since it cannot be had again from the scenario's files alone.
    """

    source: Source
    wire: WireLog = field(default_factory=WireLog)
    recorded: bool = False

    def events(self, after: int) -> tuple[WireEvent, ...]:
        """What happened on the wire since so many events."""
        return tuple(self.wire.events[after:])
