"""The MCP client: the tools of one or more MCP servers behind the `Tools` interface. Needs the extra `mcp`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from marg_runtime.canonical import Json, canonical_json
from marg_runtime.errors import ToolError, UsageError
from marg_runtime.scrub import scrub_url
from marg_runtime.tools.connection import Connection
from marg_runtime.tools.source import Source, StdioServer
from marg_runtime.tools.tool import ToolName, ToolOutcome, ToolSpec
from marg_runtime.wire import WireSink, ignore_wire

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from mcp import Client
    from mcp.types import CallToolResult, ContentBlock, Tool

__all__ = ["McpTools", "Source", "StdioServer"]

TIMEOUT_SECONDS = 30.0


class McpTools:
    """The tools of named MCP servers; use it as an async context manager.

    A source is an in-memory `mcp.server.MCPServer` (or the SDK's low-level `Server`), a `StdioServer` to start, or the
    URL of a streamable HTTP server. `timeout` is in seconds and holds for opening and for each request. Names and
    arguments go out as given: checking them is the server's affair, and the SDK's servers drop arguments that they do
    not know without a word.

    A server that broke is connected anew at its next use; no request is sent twice. A tool that was listed before its
    server broke is compared then, and a call of one that has changed is refused before it is sent, until the tools are
    listed again. `wire` is handed every request and how it ended.
    """

    def __init__(
        self, servers: Mapping[str, Source], *, timeout: float = TIMEOUT_SECONDS, wire: WireSink = ignore_wire
    ) -> None:
        if timeout <= 0:
            raise UsageError(f"a timeout is more than 0 seconds, not {timeout!r}")
        for name, source in servers.items():
            if isinstance(source, str) and not source.startswith(("http://", "https://")):
                shown = scrub_url(source)
                raise UsageError(
                    f"server {name!r}: {shown!r} is no http or https URL; to start a command use StdioServer"
                )
        self._sources = dict(servers)
        self._timeout = timeout
        self._wire = wire
        self._connections: dict[str, Connection] = {}
        self._listed: tuple[ToolSpec, ...] = ()
        self._checked: dict[str, int] = {}  # by server: the life of its connection that the listed tools are known for
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Open all servers, in order; where one does not open, those before it are closed again.

        Raises `UsageError` where the SDK is missing or a command cannot be started, `ToolError` where a server breaks.
        """
        if self._connections:
            raise UsageError("these tools are open already")
        opened: dict[str, Connection] = {}
        async with AsyncExitStack() as stack:
            for name, source in self._sources.items():
                opened[name] = Connection(name, source, timeout=self._timeout, wire=self._wire)
                await opened[name].open()
                stack.push_async_callback(opened[name].close)
            self._stack = stack.pop_all()
        self._connections = opened
        # What an earlier opening listed says nothing of these servers.
        self._listed, self._checked = (), {}
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all servers, the last one first."""
        await self._stack.aclose()
        self._connections = {}

    async def list(self) -> tuple[ToolSpec, ...]:
        """The tools as the servers list them now, in the servers' order; asked anew at every call."""
        specs: list[ToolSpec] = []
        for name, connection in self._connected().items():
            specs += await _listing(name, connection)
            self._checked[name] = connection.lives
        # The same tools as last time are the same objects, which know their digests.
        if tuple(specs) != self._listed:
            self._listed = tuple(specs)
        return self._listed

    async def call(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        """Call one tool. A refusal of the tool, an unknown name and arguments against the schema are outcomes with
        `is_error`; a broken server, a protocol error and a call with no answer in time raise `ToolError`."""
        connection = self._connected().get(tool.server)
        if connection is None:
            raise UsageError(f"no tool server {tool.server!r}; there are {sorted(self._sources)!r}")
        text = _plain_text(tool, arguments)
        plain: dict[str, Any] = json.loads(text)
        await connection.ready()
        await self._check(tool, connection)
        result = await connection.request(
            tool.name, lambda client: client.call_tool(tool.name, plain), size=len(text.encode())
        )
        return _outcome(result)

    async def meta(self, tool: ToolName) -> Mapping[str, Json]:
        """What the server says of a tool beside its schema (`_meta`), as it lists it now; empty for an unknown tool."""
        connection = self._connected().get(tool.server)
        if connection is None:
            raise UsageError(f"no tool server {tool.server!r}; there are {sorted(self._sources)!r}")
        listed = await connection.request("list of tools", _all_tools)
        return next((one.meta or {} for one in listed if one.name == tool.name), {})

    async def _check(self, tool: ToolName, connection: Connection) -> None:
        """Compare a tool with what was listed, where its server has been connected anew since."""
        if self._checked.get(tool.server, connection.lives) == connection.lives:
            return
        try:
            now = {spec.tool: spec.spec_digest for spec in await _listing(tool.server, connection)}
        except ToolError as error:
            raise ToolError(str(error), kind=error.kind, sent=False) from error
        before = {spec.tool: spec.spec_digest for spec in self._listed if spec.tool.server == tool.server}
        if now == before:
            self._checked[tool.server] = connection.lives
        elif now.get(tool) != before.get(tool):
            raise ToolError(
                f"{tool.server}: {tool.name}: the server was started anew with another tool of that name; nothing was "
                "sent, list the tools again",
                kind="protocol",
                sent=False,
            )

    def _connected(self) -> dict[str, Connection]:
        if self._sources and not self._connections:
            raise UsageError("the tool servers are not open: use McpTools as an async context manager")
        return self._connections


async def _listing(server: str, connection: Connection) -> list[ToolSpec]:
    tools = await connection.request("list of tools", _all_tools)
    return [_spec(server, connection.identity, tool) for tool in tools]


def _plain_text(tool: ToolName, arguments: Mapping[str, Json]) -> str:
    # What is no JSON would break the stream to a child for good, so it is refused before it gets there.
    try:
        text = canonical_json(arguments)
        text.encode()
    except (TypeError, ValueError) as error:
        raise ToolError(f"{tool}: the arguments are no JSON: {error}", sent=False) from error
    return text


async def _all_tools(client: Client) -> list[Tool]:
    """Every page; a cursor that comes twice would go on for ever."""
    tools: list[Tool] = []
    seen: set[str | None] = set()
    cursor: str | None = None
    while cursor not in seen:
        seen.add(cursor)
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        if page.next_cursor is None:
            return tools
        cursor = page.next_cursor
    raise ToolError(f"the list of tools comes back to its page {cursor!r}", kind="protocol")


def _spec(server: str, identity: str, tool: Tool) -> ToolSpec:
    return ToolSpec(
        server=server,
        identity=identity,
        name=tool.name,
        description=tool.description or "",
        input_schema=tool.input_schema,
    )


def _outcome(result: CallToolResult) -> ToolOutcome:
    text = "\n".join(_text(block) for block in result.content)
    return ToolOutcome(text=text, data=result.structured_content, is_error=bool(result.is_error))


def _text(block: ContentBlock) -> str:
    """The words of a block; what has none is named by its kind."""
    if block.type == "text":
        return block.text
    words = getattr(getattr(block, "resource", None), "text", None)
    return words if isinstance(words, str) else f"[{block.type}]"
