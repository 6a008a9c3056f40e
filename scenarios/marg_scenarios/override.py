"""What a turn puts in the place of the model's replies and of the tools' answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from marg_mock_model.slip import SlipKind
from marg_runtime.canonical import Json
from marg_runtime.model import FinishReason

Fault = Literal["answers", "refuses", "breaks", "hangs", "crashes", "changes", "gone"]


@dataclass(frozen=True, kw_only=True)
class ScriptedCall:
    """A call of a tool by the model."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class ScriptedReply:
    """One reply of the model's: words, then calls, then its end.

    broken: `error` where the stream breaks instead of ending, `cut` where it stops with no end. crashes: the runtime's
    process dies while it listens. to: the machine's state after it; None where it stays. slip: it is the machine's own
    reply, which slips so; then nothing else is scripted.
    """

    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    broken: Literal["error", "cut"] | None = None
    crashes: bool = False
    finish: FinishReason = "stop"
    to: str | None = None
    slip: SlipKind | None = None


@dataclass(frozen=True, kw_only=True)
class ToolFault:
    """What is wrong with a tool.

    answers, refuses: `text` and `data` in the place of its own. breaks, hangs, crashes: `ran` says whether the tool has
    run by then. changes: it is listed with `description`, `identity` and `arguments` instead. gone: it is not listed.
    """

    kind: Fault
    text: str = ""
    data: Json = None
    ran: bool = False
    description: str | None = None
    identity: str | None = None
    arguments: Mapping[str, Json] = field(default_factory=dict)
