"""The peers of the transport matrix: one request of the runtime's own clients to each, over a real socket or pipe."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from benchmarks.transport_rows import Row
from marg_harness.tool_wire.fault import parse_tool_faults
from marg_harness.tool_wire.gateway import Gateway, Schedule
from marg_harness.tool_wire.http_server import serve_http
from marg_harness.tool_wire.stdio_server import serve_stdio
from marg_mock_model import parse_machine
from marg_mock_model.endpoint import serve
from marg_runtime.conversation import ModelRequest, UserMessage
from marg_runtime.errors import ModelError, ToolError
from marg_runtime.models.anthropic import AnthropicModel
from marg_runtime.models.openai import OpenAIModel
from marg_runtime.models.retry import Pace, Retries, Timeout
from marg_runtime.tools import ToolName
from marg_runtime.tools.mcp import McpTools
from marg_runtime.wire import WireEvent, WireLog

MACHINE = """\
machine: matrix
start: listening
states:
  listening:
    transitions:
      - {when: {user: hello}, reply: I will look for the tickets of the last seven days., to: listening}
"""
REQUEST = ModelRequest(system="Be brief.", messages=(UserMessage(text="hello"),), tools=())
LONG, SHORT = 20.0, 0.4  # seconds to wait; the short ones where nothing will come
ANSWERS = {
    "no http": b"SSH-2.0-OpenSSH_9.6\r\nProtocol mismatch.\r\n\r\n",
    "302": b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
}
BODY = '{"error": {"message": "%s", "type": "some_error"}}'
SAID = "Something went wrong."


async def ask(row: Row) -> tuple[WireEvent, ...]:
    """One request, and what happened on the wire, from the first byte to the last try."""
    log = WireLog()
    await (_ask_model(row, log) if row.is_model else _ask_tool(row, log))
    return tuple(log.events)


def patience(row: Row) -> float:
    """Seconds to wait for what may never come."""
    waits = row.spec.startswith(("stall", "slow:seconds=5", "babble")) or row.spec == "hang"
    return SHORT if waits else LONG


async def _ask_model(row: Row, log: WireLog) -> None:
    async with _url(row) as (openai_url, anthropic_url):
        common: dict[str, Any] = {
            "api_key": "none",
            "timeout": Timeout(read=patience(row)),
            "retries": Retries(most=row.retries),
            "wire": log,
            "stream": row.stream,
            "pace": Pace(sleep=_no_wait),
        }
        if row.peer == "anthropic_messages":
            model: Any = AnthropicModel("m", base_url=anthropic_url, **common)
        else:
            api: Any = row.peer.removeprefix("openai_")
            model = OpenAIModel("m", api=api, base_url=openai_url, **common)
        async with model:
            # What is told of an error is on the wire's log.
            with suppress(ModelError):
                async for _ in model.stream(REQUEST):
                    pass


@asynccontextmanager
async def _url(row: Row) -> AsyncIterator[tuple[str, str]]:
    """The URLs of the endpoint: OpenAI's and Anthropic's."""
    if not row.raw:
        async with serve(parse_machine(MACHINE, path="matrix.machine.yaml"), faults=row.spec or None) as endpoint:
            yield endpoint.openai_url, endpoint.anthropic_url
        return
    if row.raw == "nobody":
        address = f"http://127.0.0.1:{_free_port()}"
        yield f"{address}/v1", address
        return
    answer = ANSWERS.get(row.raw) or _status(row.raw)
    served = await asyncio.start_server(lambda reader, writer: _say(answer, reader, writer), "127.0.0.1", 0)
    async with served:
        address = f"http://127.0.0.1:{served.sockets[0].getsockname()[1]}"
        yield f"{address}/v1", address


async def _say(answer: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line for line in head.decode("latin-1").casefold().splitlines() if line.startswith("content-length:")]
    await reader.readexactly(int(lengths[0].partition(":")[2]) if lengths else 0)
    writer.write(answer)
    await writer.drain()
    writer.close()


def _status(status: str) -> bytes:
    body = (BODY % SAID).encode()
    head = f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode() + body


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _no_wait(seconds: float) -> None:
    del seconds


async def _ask_tool(row: Row, log: WireLog) -> None:
    from mcp import Client
    from mcp.server import MCPServer

    async def hello() -> str:
        return "hello"

    desk: MCPServer[Any] = MCPServer("desk", version="1", log_level="CRITICAL")
    desk.add_tool(hello)
    gone = row.spec == "nobody"
    schedule = Schedule(faults=parse_tool_faults("" if gone else row.spec))
    async with Client(desk, cache=None) as client, AsyncExitStack() as serving:
        gateway = Gateway(client)
        served = (
            serve_stdio(gateway, schedule)
            if row.peer == "stdio"
            else serve_http(gateway, schedule, stream=row.peer == "http_stream")
        )
        source: Any = await serving.enter_async_context(served)
        async with McpTools({"desk": source}, timeout=LONG, wire=log) as tools:
            await tools.list()
            _wait_at_most(tools, patience(row))
            if gone:
                await serving.aclose()
            # What is told of an error is on the wire's log.
            with suppress(ToolError):
                await tools.call(ToolName(server="desk", name="hello"), {})


def _wait_at_most(tools: McpTools, seconds: float) -> None:
    """Let a call wait so long; a child that had yet to start was waited for longer."""
    for connection in tools._connections.values():
        connection._timeout = seconds
