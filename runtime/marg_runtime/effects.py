"""What `decide` asks for, and what it is handed when that has happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.cutter import Cut, Cutter
from marg_runtime.events.turn import PinnedTool
from marg_runtime.model import FinishReason
from marg_runtime.state import QueuedAct
from marg_runtime.steps.option import Option
from marg_runtime.tools.tool import ToolName, ToolOutcome


@dataclass(frozen=True, kw_only=True)
class CallModel:
    """Call the model and feed its text through the cutter."""

    request: ModelRequest
    cutter: Cutter


@dataclass(frozen=True, kw_only=True)
class CallTool:
    """Call a read tool for the model."""

    call: str
    tool: ToolName
    arguments: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class LoadOptions:
    """Find a step's options; its coroutine sees the draft's values, and a picker's the words and the page, from 1.

    pinned: the tools that the session opened with; no other one is called.
    """

    step: str
    draft: Mapping[str, Json]
    pinned: tuple[PinnedTool, ...]
    query: str = ""
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class DispatchWrite:
    """Do the write that was claimed. The idempotency key goes with it where the tool takes one."""

    key: str
    tool: ToolName
    arguments: Mapping[str, Json]


Effect: TypeAlias = CallModel | CallTool | LoadOptions | DispatchWrite


@dataclass(frozen=True, kw_only=True)
class ModelFinished:
    """The model's whole reply.

    raw: its text as it came. shown: what of it the user saw. cuts: the sentences that were removed, in order. calls:
    its tool calls, under the ids that it gave them. finish: why it ended.
    """

    raw: str
    shown: str
    cuts: tuple[Cut, ...]
    calls: tuple[ModelCall, ...]
    finish: FinishReason


@dataclass(frozen=True, kw_only=True)
class ModelBroke:
    """The reply broke off; `shown` is what the user had seen by then, `kind` how the wire broke, where it did."""

    raw: str
    shown: str
    cuts: tuple[Cut, ...]
    error: str
    kind: str | None = None


@dataclass(frozen=True, kw_only=True)
class ToolFinished:
    """A read's outcome; a server that broke is an outcome with `is_error`."""

    call: str
    tool: ToolName
    outcome: ToolOutcome


@dataclass(frozen=True, kw_only=True)
class StepCall:
    """A tool call that a step made to find its options."""

    tool: ToolName
    arguments: Mapping[str, Json]
    outcome: ToolOutcome


@dataclass(frozen=True, kw_only=True)
class OptionsLoaded:
    """A step's options; `error` says why there are none. fields: those of a form's choices, by slot. query, page: what
    was looked for; more: whether there is a page behind this one."""

    step: str
    options: tuple[Option, ...]
    calls: tuple[StepCall, ...]
    error: str | None = None
    fields: Mapping[str, tuple[Option, ...]] = field(default_factory=dict)
    query: str = ""
    page: int = 1
    more: bool = False


@dataclass(frozen=True, kw_only=True)
class WriteFinished:
    """The backend answered the write, with a receipt or a refusal."""

    key: str
    outcome: ToolOutcome


@dataclass(frozen=True, kw_only=True)
class WriteBroke:
    """The server broke. `sent` is False only where it is certain that the call never left; else nobody knows what
    became of the write."""

    key: str
    error: str
    sent: bool = True


@dataclass(frozen=True, kw_only=True)
class ActStarted:
    """An act's turn has come. late: what became of a write whose turn was taken over before it was written down."""

    queued: QueuedAct
    late: WriteFinished | WriteBroke | None = None


@dataclass(frozen=True, kw_only=True)
class Delivered:
    """The turn is over: its answer goes to the client, or (`received` False) to nobody."""

    received: bool = True


@dataclass(frozen=True, kw_only=True)
class TakenOver:
    """A worker found a turn that another one left unfinished."""


Stimulus: TypeAlias = (
    ActStarted
    | ModelFinished
    | ModelBroke
    | ToolFinished
    | OptionsLoaded
    | WriteFinished
    | WriteBroke
    | Delivered
    | TakenOver
)
