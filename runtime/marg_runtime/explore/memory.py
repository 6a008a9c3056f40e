"""What the oracle has gathered from a session's events, by a fold of its own that shares no code with the runtime's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from marg_runtime.canonical import Json
from marg_runtime.draft import Value
from marg_runtime.tools.tool import ToolSpec

ClaimStatus = Literal["open", "done", "unknown"]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question as it was first drawn, and where its answer was delivered first (None: not yet)."""

    id: str
    step: str
    kind: str
    revision: int
    options: tuple[Any, ...]
    rows: tuple[Any, ...]
    delivered_at: int | None = None
    delivered_in: int | None = None


@dataclass(frozen=True, kw_only=True)
class Stood:
    """What a summary stood for when it was shown: the arguments, the tool as it was listed then, the time."""

    question: str
    draft: str
    arguments: Mapping[str, Json]
    tool: ToolSpec | None
    shown_at: int


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A write of a draft. `arguments` are those of the claim, without the runtime's own."""

    key: str
    status: ClaimStatus
    arguments: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class Memory:
    """What the events so far have made.

    queue: acts that wait. act, act_at: what began this turn, and where it was queued. bound: the question that it
    answers by rule G3, if any. asked: the question that can be answered. drawn: the block that this turn drew last.
    values, former: the draft, and the last value that each slot ever had in it. ended: steps. settled: for each step
    the number of messages that had been said when it ended last. due: steps that are to be re-opened in this turn.
    summary: the last one shown; standing: nothing has voided it. go: what a go-ahead was given for, until the claim.
    claims: by draft. facts: queued and not told. awaiting: the model's calls without a result.
    """

    queue: Mapping[int, Any] = field(default_factory=dict)
    turn: int = 0
    running: bool = False
    act: Any = None
    act_at: int = 0
    bound: Asked | None = None
    asked: Asked | None = None
    drawn: str | None = None
    draft: str = "draft-1"
    values: Mapping[str, Value] = field(default_factory=dict)
    former: Mapping[str, Value] = field(default_factory=dict)
    ended: frozenset[str] = frozenset()
    settled: Mapping[str, int] = field(default_factory=dict)
    due: frozenset[str] = frozenset()
    said: tuple[str, ...] = ()
    summary: Stood | None = None
    standing: bool = False
    go: bool = False
    went: Stood | None = None
    claims: Mapping[str, Claim] = field(default_factory=dict)
    calls: int = 0
    awaiting: frozenset[str] = frozenset()
    facts: tuple[str, ...] = ()
