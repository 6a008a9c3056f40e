"""A call of a model that is heard to its end: what was handed on, how it broke, what the wire's record has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from tests.runtime.dialects import (
    APIS,
    PATIENT,
    REQUEST,
    SHORT,
    ApiName,
    Said,
    events_of,
    frames,
    model_of,
)
from tests.runtime.loopback import Answer, loopback, streamed

from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.errors import ModelError
from marg_runtime.model import Delta, TextDelta
from marg_runtime.models.retry import Pace, Retries, Timeout
from marg_runtime.wire import WireKind, WireLog

if TYPE_CHECKING:
    pass


every_api = pytest.mark.parametrize("api", APIS)
CALLS = (
    ModelCall(id="c-1", name="search", arguments={"query": 'a "quoted" {word', "deep": [1, {"x": None}]}),
    ModelCall(id="c-2", name="search", arguments={}),
)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What a model handed on, the error that it raised, and the log of its wire."""

    deltas: list[Delta]
    error: ModelError | None
    log: WireLog

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))

    @property
    def kind(self) -> WireKind | None:
        assert self.error is not None, f"nothing was raised, and {self.deltas!r} handed on"
        return self.error.kind


async def hear(
    api: ApiName,
    url: str,
    *,
    request: ModelRequest = REQUEST,
    retries: Retries | None = None,
    timeout: Timeout = PATIENT,
    pace: Pace | None = None,
) -> Heard:
    """One call of a model, to its end."""
    log, deltas, error = WireLog(), list[Delta](), None
    async with model_of(api, url, wire=log, retries=retries or Retries(most=0), timeout=timeout, pace=pace) as model:
        try:
            async for delta in model.stream(request):
                deltas.append(delta)
        except ModelError as raised:
            error = raised
    return Heard(deltas=deltas, error=error, log=log)


async def hear_answer(api: ApiName, answer: Answer) -> Heard:
    """One call that gets one answer, and is not tried again."""
    async with loopback(answer) as server:
        return await hear(api, server.url, timeout=SHORT if answer.end == "stall" else PATIENT)


def whole(api: ApiName, said: Said | None = None) -> Answer:
    """A whole reply."""
    return streamed(frames(events_of(api, said or Said())))


class Waits:
    """A pace whose sleeps take no time, and are kept."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.time = 0.0
        self.pace = Pace(clock=lambda: self.time, now=lambda: 1_700_000_000.0, sleep=self._sleep, spread=lambda: 0.0)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


LIMIT = {"error": {"type": "rate_limit_error", "code": "rate_limit_exceeded", "message": "slow down"}}
