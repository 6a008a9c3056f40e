"""How the model, its words and its calls stand in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from marg_runtime.canonical import Json
from marg_runtime.claims import Claim
from marg_runtime.conversation import ModelCall
from marg_runtime.model import FinishReason
from marg_runtime.tools.tool import ToolName, ToolOutcome

Caller = Literal["model", "step", "runtime"]
PendingKind = Literal["model", "tool", "options"]


@dataclass(frozen=True, kw_only=True)
class FactTold:
    """A queued fact goes with the model request that follows."""

    version: ClassVar[int] = 1
    fact: str


@dataclass(frozen=True, kw_only=True)
class ModelCalled:
    """The model is called: the number of the call in this turn, the request's digest, whether it carries the rule."""

    version: ClassVar[int] = 1
    number: int
    request_digest: str
    carries_rule: bool


@dataclass(frozen=True, kw_only=True)
class ModelReplied:
    """The model's whole reply: what it said, what of it was shown, what it called."""

    version: ClassVar[int] = 1
    raw: str
    shown: str
    calls: tuple[ModelCall, ...]
    finish: FinishReason


@dataclass(frozen=True, kw_only=True)
class ModelFailed:
    """The reply broke; `shown` is what had been shown by then.

    kind: how the wire broke (a `marg_runtime.wire.WireKind`), None where it did not, or nobody said.
    """

    version: ClassVar[int] = 2
    raw: str
    shown: str
    error: str
    kind: str | None = None


@dataclass(frozen=True, kw_only=True)
class QuestionCut:
    """A sentence of the model's was removed: it asks what the step owns."""

    version: ClassVar[int] = 1
    step: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class ClaimCut:
    """A sentence of the model's was removed: it claims that the record was created, or that it was not, and the ledger
    says otherwise."""

    version: ClassVar[int] = 1
    claim: Claim
    sentence: str


@dataclass(frozen=True, kw_only=True)
class ToolCalled:
    """A tool is called with these arguments. A built-in tool's server is `marg`; the runtime itself calls the lookup
    of unknown writes."""

    version: ClassVar[int] = 2
    call: str
    tool: ToolName
    arguments: Mapping[str, Json]
    by: Caller


@dataclass(frozen=True, kw_only=True)
class ToolReturned:
    """The one result of a call."""

    version: ClassVar[int] = 1
    call: str
    tool: ToolName
    text: str
    data: Json
    is_error: bool

    @classmethod
    def of(cls, call: str, tool: ToolName, outcome: ToolOutcome) -> ToolReturned:
        """The result that a tool's outcome is."""
        return cls(call=call, tool=tool, text=outcome.text, data=outcome.data, is_error=outcome.is_error)


@dataclass(frozen=True, kw_only=True)
class ArgumentOverridden:
    """The model's own version of a settled value, or of an argument of the runtime's, did not stand."""

    version: ClassVar[int] = 1
    call: str
    argument: str
    given: Json
    used: Json
    dropped: bool = False


@dataclass(frozen=True, kw_only=True)
class AttestationRefused:
    """The model pointed to words that the user did not say.

    quote: the words it pointed to. value: what it made of them, or one item of a list; None in ledgers of a release
    that did not keep it. reason: what is wrong with them, as the model is told.
    """

    version: ClassVar[int] = 2
    slot: str
    value: str | None
    quote: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class EffectAbandoned:
    """A pending model call or read was given up on takeover."""

    version: ClassVar[int] = 1
    kind: PendingKind
    key: str
