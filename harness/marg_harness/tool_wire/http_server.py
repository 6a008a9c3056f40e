"""A gateway behind streamable HTTP on loopback, byte for byte, so that any answer can be broken."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from marg_harness.tool_wire.fault import STATUS, ToolWireFault
from marg_harness.tool_wire.gateway import Gateway, Schedule

PAGE = "<!doctype html><title>Welcome</title><p>Please sign in to go on.</p>"
JSON_TYPE = "Content-Type: application/json\r\n"
EVENTS_TYPE = "Content-Type: text/event-stream\r\n"
EVENT = "event: message\ndata: {}\n\n"
HTML_TYPE = "Content-Type: text/html; charset=utf-8\r\n"
SESSION = "Mcp-Session-Id: session-1\r\n"


@asynccontextmanager
async def serve_http(gateway: Gateway, schedule: Schedule, *, stream: bool = False) -> AsyncIterator[str]:
    """The URL of the server while it is served. stream: whether it answers with a stream of events, not with JSON."""
    server = _Server(gateway, schedule, stream=stream)
    served = await asyncio.start_server(server.handle, "127.0.0.1", 0)
    async with served:
        yield f"http://127.0.0.1:{served.sockets[0].getsockname()[1]}/mcp"


class _Server:
    """One request, one answer, and the socket is closed."""

    def __init__(self, gateway: Gateway, schedule: Schedule, *, stream: bool) -> None:
        self._gateway = gateway
        self._stream = stream
        self._schedule = schedule
        # Without a session no client can be told that its own is gone.
        self._session = SESSION if any(fault.kind == "closed" for fault in schedule.faults.faults) else ""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").casefold()
            lengths = [line.partition(":")[2] for line in head.splitlines() if line.startswith("content-length:")]
            body = await reader.readexactly(int(lengths[0]) if lengths else 0)
            writer.write(await self._answer(json.loads(body), reader) if body else _response(405))
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client left, and nobody is there to be told
        finally:
            writer.close()

    async def _answer(self, asked: dict[str, Any], reader: asyncio.StreamReader) -> bytes:
        fault = self._schedule.of(asked)
        if fault is not None and (broken := _broken(fault)) is not None:
            return broken
        if fault is not None and fault.kind == "hang" and await _left(reader, within=fault.seconds):
            return b""
        said = await self._gateway.answer(asked, fault)
        if said is None:
            return _response(202)
        text, kind = (EVENT.format(json.dumps(said)), EVENTS_TYPE) if self._stream else (json.dumps(said), JSON_TYPE)
        cut = fault is not None and fault.kind == "cut_json"
        return _response(200, text[: len(text) // 2] if cut else text, kind + self._session)


def _broken(fault: ToolWireFault) -> bytes | None:
    """The answer that a fault gives in the server's place; None where the server has a part in it."""
    if fault.kind in STATUS:
        again = "" if fault.retry_after is None else f"Retry-After: {fault.retry_after}\r\n"
        return _response(STATUS[fault.kind], PAGE, HTML_TYPE + again)
    match fault.kind:
        case "closed":
            return _response(404)
        case "html":
            return _response(200, PAGE, HTML_TYPE)
        case "bad_json":
            return _response(200, "{nothing}", JSON_TYPE)
        case "drop":
            return b""
    return None


async def _left(reader: asyncio.StreamReader, *, within: float | None) -> bool:
    """Whether the client left within so many seconds; None waits for that."""
    try:
        await asyncio.wait_for(reader.read(), timeout=within)
    except TimeoutError:
        return False
    return True


def _response(status: int, body: str = "", headers: str = "") -> bytes:
    raw = body.encode()
    return f"HTTP/1.1 {status} -\r\n{headers}Content-Length: {len(raw)}\r\nConnection: close\r\n\r\n".encode() + raw
