"""How the gate and the write stand in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from marg_runtime.block import Row
from marg_runtime.canonical import Json
from marg_runtime.tools.tool import ToolName

LayerName = Literal["skill", "schema", "guard"]
Trigger = Literal["go_ahead", "model_call"]


@dataclass(frozen=True, kw_only=True)
class LayerDecision:
    """One layer of the gate: allowed or refused, and why."""

    layer: LayerName
    allowed: bool
    reason: str


@dataclass(frozen=True, kw_only=True)
class GateDecided:
    """All three layers on one attempt. `attempted` means that the guard allowed it."""

    version: ClassVar[int] = 1
    trigger: Trigger
    tool: ToolName
    question: str | None
    layers: tuple[LayerDecision, ...]
    allowed: bool
    attempted: bool
    arguments: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class WriteClaimed:
    """The one claim of a write, appended before it is dispatched.

    key: the idempotency key. draft: the draft's id. arguments: what the draft compiles to, `confirmed` included.
    fingerprint: that of the summary that was confirmed, the same as the one taken anew at the dispatch.
    """

    version: ClassVar[int] = 1
    key: str
    draft: str
    tool: ToolName
    arguments: Mapping[str, Json]
    fingerprint: str


@dataclass(frozen=True, kw_only=True)
class WriteDone:
    """The backend did it; `receipt` is what it said."""

    version: ClassVar[int] = 1
    key: str
    receipt: Json
    text: str
    rows: tuple[Row, ...]
    fact: str


@dataclass(frozen=True, kw_only=True)
class ReceiptShown:
    """The receipt was drawn: after the write, or again for a go-ahead that came once more.

    text: what the record is called. rows: what was written, as a person reads it; none where that is not known.
    """

    version: ClassVar[int] = 1
    key: str
    text: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, kw_only=True)
class WriteRefused:
    """The gate or the backend refused, or the call never left (`transport`); the draft stays.

    reason: why, as the layers or the backend said it. fact: what the model is told with its next request.
    """

    version: ClassVar[int] = 2
    by: Literal["gate", "backend", "transport"]
    reason: str
    fact: str


@dataclass(frozen=True, kw_only=True)
class WriteUnknown:
    """Nobody knows whether the backend did it. While that is so, no write of this draft starts.

    fact: what the model is told, lest it say either; blank in ledgers of releases that told it nothing.
    """

    version: ClassVar[int] = 2
    key: str
    reason: str
    fact: str = ""


@dataclass(frozen=True, kw_only=True)
class WriteAbsent:
    """A write that was unknown was looked up, and the backend has nothing of its key; the draft stays.

    The next write of the draft goes under the same key, lest the lost one arrive after all.
    """

    version: ClassVar[int] = 1
    key: str
    fact: str
