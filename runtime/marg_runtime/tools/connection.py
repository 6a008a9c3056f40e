"""One open connection to one MCP server, and what can be connected to.

The SDK's client runs on task groups, which cancel the task that entered them when something behind them breaks. So a
connection is held by a task of its own: what breaks there stays there, and callers see a `ToolError`, never a
cancellation that was not theirs. It also lets one task open a connection and another close it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from marg_runtime.errors import ToolError, UsageError
from marg_runtime.gate import WRITE_FLAG

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters
    from mcp.server import MCPServer, Server

GRACE_SECONDS = 2.0  # for a call that was given up
CLOSE_SECONDS = 10.0  # for a child, which the SDK asks to end, then terminates, then kills, over about seven seconds

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, kw_only=True)
class StdioServer:
    """A server to start as a child and talk to over its stdin and stdout.

    The child gets the handful of variables that the SDK holds safe (PATH, HOME and their like), those of `env`, and
    the write flag of our own process where that is set. Rule G8: the flag never comes from a configuration, so an
    `env` that holds it raises `UsageError`.
    """

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if WRITE_FLAG in self.env:
            raise UsageError(
                f"{WRITE_FLAG} is not taken from a server's env (here {self.env[WRITE_FLAG]!r}): "
                f"set it in the environment of the process that runs Marg"
            )


Source: TypeAlias = "MCPServer[Any] | Server[Any] | StdioServer | str"


class Connection:
    """A connection to one server: `open`, any number of `request`s, also at once, `close`."""

    def __init__(self, name: str, source: Source, *, timeout: float) -> None:
        self._name = name
        self._source = source
        self._timeout = timeout
        self._leaving = asyncio.Event()
        self._client: Client | None = None
        self._owner: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect and agree on a protocol version.

        Raises `UsageError` where the command cannot be started, `ToolError` where the server breaks or does not
        answer in time.
        """
        ready = asyncio.Event()
        self._owner = asyncio.create_task(self._hold(ready))
        waiting = asyncio.create_task(ready.wait())
        try:
            await asyncio.wait({self._owner, waiting}, timeout=self._timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            if not ready.is_set():
                await _drop(self._owner, within=CLOSE_SECONDS)
        if not ready.is_set():
            raise self._refusal_to_open(self._owner)

    async def request(self, what: str, send: Callable[[Client], Awaitable[_Answer]]) -> _Answer:
        """What `send` gives for the open client; `what` names the request in errors. Raises `ToolError`."""
        if self._client is None or self._owner is None:
            raise UsageError(f"server {self._name!r} is not open: use McpTools as an async context manager")
        call = asyncio.ensure_future(send(self._client))
        try:
            await asyncio.wait({call, self._owner}, timeout=self._timeout, return_when=asyncio.FIRST_COMPLETED)
            answered = call.done()
        finally:
            if not call.done():
                await _drop(call, within=GRACE_SECONDS)
        if not answered and not self._owner.done():
            raise ToolError(f"{self._name}: {what}: no answer within {self._timeout:g} s")
        if answered and not call.cancelled() and call.exception() is None:
            return call.result()
        raise self._broken(what, call if answered else self._owner)

    async def close(self) -> None:
        """Leave the client and end a child; what breaks on the way out is logged, since no answer hangs on it."""
        if self._owner is None:
            return
        self._client = None
        self._leaving.set()
        await asyncio.wait({self._owner}, timeout=CLOSE_SECONDS)
        if not self._owner.done():
            await _drop(self._owner, within=GRACE_SECONDS)
        if self._owner.done() and (error := _error_of(self._owner)) is not None:
            logging.getLogger(__name__).info("%s: broke while closing: %r", self._name, error)

    @property
    def identity(self) -> str:
        """The server's own name and version, or the name that it goes by here where it gives none."""
        info = None if self._client is None else self._client.server_info
        return self._name if info is None else f"{info.name} {info.version}".strip()

    async def _hold(self, ready: asyncio.Event) -> None:
        async with _client(self._source) as client:
            self._client = client
            ready.set()
            await self._leaving.wait()

    def _refusal_to_open(self, owner: asyncio.Task[None]) -> ToolError | UsageError:
        error = _error_of(owner) if owner.done() else None
        if error is None:
            return ToolError(f"{self._name}: did not open within {self._timeout:g} s")
        if isinstance(error, UsageError):
            return error
        if isinstance(error, OSError) and isinstance(self._source, StdioServer):
            return UsageError(f"{self._name}: cannot start {self._source.command!r}: {error}")
        return self._broken("open", owner)

    def _broken(self, what: str, task: asyncio.Future[Any]) -> ToolError:
        error = _error_of(task)
        broken = ToolError(f"{self._name}: {what}: {_sentence(error)}")
        broken.__cause__ = error
        return broken


def _client(source: Source) -> Client:
    try:
        from mcp import Client
        from mcp.client.stdio import stdio_client
    except ImportError as error:
        raise UsageError("MCP servers need the extra 'mcp': pip install 'marg[mcp]'") from error
    if not isinstance(source, StdioServer):
        return Client(source, cache=None)
    # The interpreter's own stderr: whatever stands in for sys.stderr (a notebook, a test) may have no descriptor.
    return Client(stdio_client(_parameters(source), errlog=sys.__stderr__ or sys.stderr), cache=None)


def _parameters(server: StdioServer) -> StdioServerParameters:
    from mcp.client.stdio import StdioServerParameters

    flag = {WRITE_FLAG: os.environ[WRITE_FLAG]} if WRITE_FLAG in os.environ else {}
    return StdioServerParameters(command=server.command, args=list(server.args), env={**server.env, **flag})


async def _drop(task: asyncio.Future[Any], *, within: float) -> None:
    """Cancel a task and give it so many seconds to clean up; one that will not end is left to the loop's own end."""
    task.add_done_callback(_error_of)
    task.cancel()
    await asyncio.wait({task}, timeout=within)


def _error_of(task: asyncio.Future[Any]) -> BaseException | None:
    """The first real error of a finished task, out of the groups it came in; None where it was only cancelled."""
    error = None if task.cancelled() else task.exception()
    while isinstance(error, BaseExceptionGroup):
        inner = [one for one in error.exceptions if not isinstance(one, asyncio.CancelledError)]
        error = inner[0] if inner else None
    return error


def _sentence(error: BaseException | None) -> str:
    if error is None:
        return "the connection was given up"
    return str(error) or type(error).__name__
