"""One life of a connection to one MCP server.

The SDK's client runs on task groups, which cancel the task that entered them when something behind them breaks. So a
connection is held by a task of its own: what breaks there stays there, and callers see a `ToolError`, never a
cancellation that was not theirs. It also lets one task open a connection and another close it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from marg_runtime.scrub import own_secrets, scrub
from marg_runtime.tools.breakage import Breakage, breakage, first_error, no_answer
from marg_runtime.tools.ear import CURRENT, Exchange, Heard
from marg_runtime.tools.source import Source, client_of

if TYPE_CHECKING:
    from mcp import Client

GRACE_SECONDS = 2.0  # for a call that was given up
CLOSE_SECONDS = 10.0  # for a child, which the SDK asks to end, then terminates, then kills, over about seven seconds

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, kw_only=True)
class Answered(Generic[_Answer]):
    """A whole answer."""

    answer: _Answer


@dataclass(frozen=True, kw_only=True)
class Broken:
    """How an exchange broke, and the error behind it, where there is one."""

    how: Breakage
    error: BaseException | None = None


class Link:
    """From opening to the end of one client; never opened again."""

    def __init__(self, source: Source) -> None:
        self.heard = Heard()
        self.client: Client | None = None
        self._source = source
        self._leaving = asyncio.Event()
        self._owner: asyncio.Task[None] | None = None

    @property
    def usable(self) -> bool:
        """Whether it is open and nothing is known that would keep a request from being answered."""
        return self.client is not None and not self.heard.ended and self._owner is not None and not self._owner.done()

    async def open(self, exchange: Exchange, *, within: float) -> Broken | None:
        """Connect and agree on a protocol version; gives what broke, or None. `within` in seconds."""
        ready = asyncio.Event()
        token = CURRENT.set(exchange)
        try:
            self._owner = asyncio.create_task(self._hold(ready))
        finally:
            CURRENT.reset(token)
        waiting = asyncio.create_task(ready.wait())
        timed_out = False
        try:
            done = await asyncio.wait({self._owner, waiting}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
            timed_out = not done[0]
        finally:
            waiting.cancel()
            if not ready.is_set():
                await _drop(self._owner, within=CLOSE_SECONDS)
        if ready.is_set():
            return None
        return self._not_opened(exchange, timed_out=timed_out)

    async def request(
        self, exchange: Exchange, send: Callable[[Client], Awaitable[_Answer]], *, within: float
    ) -> Answered[_Answer] | Broken:
        """What `send` gives for the client, or how that broke."""
        assert self.client is not None
        assert self._owner is not None
        exchange.noise = self.heard.noise
        token = CURRENT.set(exchange)
        try:
            call = asyncio.ensure_future(send(self.client))
        finally:
            CURRENT.reset(token)
        try:
            await asyncio.wait({call, self._owner}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
            answered = call.done()
        finally:
            if not call.done():
                await _drop(call, within=GRACE_SECONDS)
        if answered and not call.cancelled() and call.exception() is None:
            return Answered(answer=call.result())
        if not answered and not self._owner.done():
            return Broken(how=no_answer(exchange=exchange, heard=self.heard))
        if self.heard.ended and isinstance(self._source, str):
            # A client of HTTP that broke ends by itself, and only its own error says how.
            await asyncio.wait({self._owner}, timeout=GRACE_SECONDS)
        return self._broken(exchange, call if answered else self._owner)

    async def close(self, name: str) -> None:
        """Leave the client and end a child; what breaks on the way out is logged, since no answer hangs on it."""
        self.client = None
        if self._owner is None:
            return
        self._leaving.set()
        await asyncio.wait({self._owner}, timeout=CLOSE_SECONDS)
        if not self._owner.done():
            await _drop(self._owner, within=GRACE_SECONDS)
        if self._owner.done() and (error := _error_of(self._owner)) is not None:
            what = scrub(repr(error), secrets=own_secrets())
            logging.getLogger(__name__).info("%s: broke while closing: %s", name, what)

    async def _hold(self, ready: asyncio.Event) -> None:
        async with client_of(self._source, self.heard) as client:
            self.client = client
            ready.set()
            await self._leaving.wait()

    def _not_opened(self, exchange: Exchange, *, timed_out: bool) -> Broken:
        owner = self._owner
        error = _error_of(owner) if owner is not None and owner.done() else None
        if timed_out and error is None:
            return Broken(how=no_answer(exchange=exchange, heard=self.heard))
        return Broken(how=breakage(error, exchange=exchange, heard=self.heard, over=True), error=error)

    def _broken(self, exchange: Exchange, task: asyncio.Future[Any]) -> Broken:
        assert self._owner is not None
        over = self._owner.done()
        # Where the connection itself broke, its own error says more than what it left behind in its calls.
        error = (_error_of(self._owner) if over else None) or _error_of(task)
        return Broken(how=breakage(error, exchange=exchange, heard=self.heard, over=over), error=error)


async def _drop(task: asyncio.Future[Any], *, within: float) -> None:
    """Cancel a task and give it so many seconds to clean up; one that will not end is left to the loop's own end."""
    task.add_done_callback(_error_of)
    task.cancel()
    await asyncio.wait({task}, timeout=within)


def _error_of(task: asyncio.Future[Any]) -> BaseException | None:
    """The first real error of a finished task; None where it was only cancelled."""
    return first_error(None if task.cancelled() else task.exception())
