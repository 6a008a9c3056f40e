"""Calling a model's API: an attempt, and another one where that may help and nothing was shown yet."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import count

from marg_runtime.conversation import ModelRequest
from marg_runtime.model import Delta
from marg_runtime.models.api import Api
from marg_runtime.models.attempt import Attempt
from marg_runtime.models.redaction import Redaction
from marg_runtime.models.retry import Pace, Retries, Timeout
from marg_runtime.wire import WireSink


@dataclass(kw_only=True)
class Caller:
    """Calls one API for one model.

    timeout: seconds for connecting, for each piece, and for all tries together. retries: how often a fault is tried
    again, and how long is waited. pace: the clock and the sleep. wire: told of each attempt; redaction: keeps what is
    secret out of that.
    """

    api: Api
    timeout: Timeout
    retries: Retries
    pace: Pace
    wire: WireSink
    redaction: Redaction
    _numbers: count[int] = field(default_factory=lambda: count(1))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta]:
        """The reply, piece by piece. Raises ModelError where it breaks and is not to be tried again.

        Once a piece was handed on nothing is tried again: a second reply would follow the half of the first.
        """
        exchange = str(next(self._numbers))
        body = self.api.body(request)
        ends = self.pace.clock() + self.timeout.total
        for number in count(1):
            attempt = Attempt(
                api=self.api,
                exchange=exchange,
                number=number,
                request=request,
                settings=self._settings(),
                pace=self.pace,
                ends=ends,
                wire=self.wire,
                redaction=self.redaction,
            )
            async with aclosing(attempt.deltas(body)) as deltas:
                async for delta in deltas:
                    yield delta
            if attempt.fault is None:
                return
            wait = self._wait(attempt, number, ends)
            attempt.report_fault(attempt.fault, again=wait is not None)
            if wait is None:
                raise attempt.fault.error(peer=self.api.peer)
            await self.pace.sleep(wait)

    def _wait(self, attempt: Attempt, number: int, ends: float) -> float | None:
        """Seconds to wait before the next attempt; None where there is to be none, or no time for it."""
        fault = attempt.fault
        if fault is None or attempt.handed_on or not fault.retry:
            return None
        wait = self.retries.wait(number, asked=fault.retry_after, spread=self.pace.spread())
        return wait if wait is not None and self.pace.clock() + wait < ends else None

    def _settings(self) -> str:
        limits, retries = self.timeout, self.retries
        return (
            f"connect={limits.connect:g} read={limits.read:g} total={limits.total:g} "
            f"retries={retries.most} first={retries.first:g} longest={retries.longest:g} patience={retries.patience:g}"
        )
