"""A model, as the runtime sees it: a request in, a stream of pieces out.

A reply is complete only with its `Finish`; a stream that ends without one is a broken one, whatever it said.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from marg_runtime.conversation import ModelCall, ModelRequest

FinishReason = Literal["stop", "tool_calls", "length", "refusal"]


@dataclass(frozen=True, kw_only=True)
class TextDelta:
    """A piece of the text."""

    text: str


@dataclass(frozen=True, kw_only=True)
class CallDelta:
    """A whole tool call (a client joins the pieces of the wire before it hands them on)."""

    call: ModelCall


@dataclass(frozen=True, kw_only=True)
class Finish:
    """The end of the reply, and why it ended."""

    reason: FinishReason


Delta: TypeAlias = TextDelta | CallDelta | Finish


class Model(Protocol):
    """What plays the model's part."""

    def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The reply, piece by piece; raises `marg_runtime.errors.ModelError` where it breaks."""
        ...
