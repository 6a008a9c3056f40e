"""A connection to one MCP server for as long as it is used: it is opened again, at the next use, after it broke.

A request is never sent twice: one that broke is told as a `ToolError`, and only the next one finds a new connection. A
child that gave no answer twice in a row is ended before another is started, so that there is never more than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from marg_runtime.errors import ToolError, UsageError
from marg_runtime.tools.ear import Exchange
from marg_runtime.tools.link import Broken, Link
from marg_runtime.tools.source import Source, StdioServer
from marg_runtime.wire import WireEvent, WirePhase, WireSink

if TYPE_CHECKING:
    from mcp import Client

HANGS = 2  # calls in a row with no answer, after which a child is ended

_Answer = TypeVar("_Answer")


class Connection:
    """A connection to one server: `open`, any number of `request`s, also at once, `close`.

    `lives` counts how often it was opened: who remembers something of the server checks it where the count has moved.
    """

    def __init__(self, name: str, source: Source, *, timeout: float, wire: WireSink) -> None:
        self.lives = 0
        self._name = name
        self._source = source
        self._timeout = timeout
        self._wire = wire
        self._numbers = count(1)
        self._link: Link | None = None
        self._hangs = 0
        self._opening = asyncio.Lock()
        self._identity = name

    async def open(self) -> None:
        """Connect and agree on a protocol version.

        Raises `UsageError` where the command cannot be started, `ToolError` where the server breaks or does not
        answer in time.
        """
        link = Link(self._source)
        exchange = self._exchange("open")
        self._say("sent", exchange)
        broken = await link.open(exchange, within=self._timeout)
        if broken is not None:
            raise self._refusal_to_open(exchange, broken)
        self._say("answered", exchange, terminal=True)
        self._link, self._hangs = link, 0
        self.lives += 1
        info = None if link.client is None else link.client.server_info
        self._identity = self._name if info is None else f"{info.name} {info.version}".strip()

    async def ready(self) -> None:
        """Open the connection again where it has broken. Raises `ToolError`, `sent` False: nothing was asked yet."""
        if self._link is None:
            raise UsageError(f"server {self._name!r} is not open: use McpTools as an async context manager")
        async with self._opening:
            if self._link.usable and self._hangs < HANGS:
                return
            await self._link.close(self._name)
            try:
                await self.open()
            except UsageError as error:
                raise ToolError(f"{self._name}: open again: {error}", kind="connect", sent=False) from error

    async def request(
        self, what: str, send: Callable[[Client], Awaitable[_Answer]], *, size: int | None = None
    ) -> _Answer:
        """What `send` gives for the open client; `what` names the request in errors, `size` its bytes in the log.

        Raises `ToolError`.
        """
        await self.ready()
        link = self._link
        assert link is not None
        exchange = self._exchange(what)
        self._say("sent", exchange, size=size)
        result = await link.request(exchange, send, within=self._timeout)
        if not isinstance(result, Broken):
            self._hangs = 0
            self._note_noise(exchange, link)
            self._say("answered", exchange, terminal=True)
            return result.answer
        if result.how.over:
            link.heard.ended = True
        self._hangs += result.how.kind == "mcp_timeout" and isinstance(self._source, StdioServer)
        self._note_noise(exchange, link)
        self._say("broken", exchange, broken=result)
        raise self._error(f"{what}: {self._sentence(result)}", result)

    async def close(self) -> None:
        """Leave the client and end a child."""
        if self._link is not None:
            await self._link.close(self._name)
            self._link = None

    @property
    def identity(self) -> str:
        """The server's own name and version, or the name that it goes by here where it gives none."""
        return self._identity

    def _exchange(self, what: str) -> Exchange:
        return Exchange(id=f"{self._name}-{next(self._numbers)}", what=what)

    def _refusal_to_open(self, exchange: Exchange, broken: Broken) -> ToolError | UsageError:
        self._say("broken", exchange, broken=broken)
        error = broken.error
        if error is None:
            if broken.how.kind in ("mcp_timeout", "protocol"):
                return self._error(f"did not open within {self._timeout:g} s", broken, sent=False)
            return self._error(f"open: {self._sentence(broken)}", broken, sent=False)
        if isinstance(error, UsageError):
            return error
        if isinstance(error, OSError) and isinstance(self._source, StdioServer):
            return UsageError(f"{self._name}: cannot start {self._source.command!r}: {error}")
        return self._error(f"open: {self._sentence(broken)}", broken, sent=False)

    def _error(self, text: str, broken: Broken, *, sent: bool = True) -> ToolError:
        raised = ToolError(f"{self._name}: {text}", kind=broken.how.kind, sent=sent)
        raised.__cause__ = broken.error
        return raised

    def _sentence(self, broken: Broken) -> str:
        if broken.error is not None:
            return str(broken.error) or type(broken.error).__name__
        if broken.how.kind in ("mcp_timeout", "protocol"):
            return f"no answer within {self._timeout:g} s"
        return "the connection was given up"

    # The log

    def _note_noise(self, exchange: Exchange, link: Link) -> None:
        if link.heard.noise > exchange.noise:
            self._say("noise", exchange, code=link.heard.last_noise)

    def _say(
        self,
        phase: WirePhase,
        exchange: Exchange,
        *,
        size: int | None = None,
        code: str | None = None,
        terminal: bool = False,
        broken: Broken | None = None,
    ) -> None:
        response = exchange.response
        asked = response.headers.get("retry-after", "") if response is not None else ""
        self._wire(
            WireEvent(
                side="tool",
                phase=phase,
                exchange=exchange.id,
                peer=self._name,
                what=exchange.what,
                status=None if response is None else response.status_code,
                code=code if broken is None else broken.how.code,
                retry_after=float(asked) if asked.isdecimal() else None,
                bytes=size,
                terminal=terminal,
                kind=None if broken is None else broken.how.kind,
                error="" if broken is None or broken.error is None else type(broken.error).__name__,
            )
        )
