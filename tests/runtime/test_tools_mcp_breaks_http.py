"""A server behind HTTP breaks: each way has its kind, by status, header and class, whatever the words say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from marg_runtime.errors import ToolError
from marg_runtime.tools.mcp import McpTools
from marg_runtime.tools.tool import ToolName
from marg_runtime.wire import WireLog

pytestmark = pytest.mark.anyio

HELLO = ToolName(server="s", name="hello")
JSON_TYPE = "Content-Type: application/json\r\n"


def response(status: str, body: str = "", headers: str = "") -> bytes:
    length = f"Content-Length: {len(body.encode())}\r\n"
    return f"HTTP/1.1 {status}\r\n{headers}{length}Connection: close\r\n\r\n{body}".encode()


@dataclass(kw_only=True)
class Server:
    """A server of the handshake era on a raw socket. `say` is what it answers to a call, byte for byte; None is the
    proper answer, an empty one closes the socket. `ids` gives its answers a session."""

    say: bytes | None = None
    at_open: bytes | None = None
    version: str = "1"
    session: str = ""
    asked: list[str] = field(default_factory=list)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request, one answer, and the socket is closed."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().casefold()
        length = next((line.partition(":")[2] for line in head.splitlines() if line.startswith("content-length")), "0")
        body = await reader.readexactly(int(length))
        writer.write(self._answer(json.loads(body)) if body else response("405 Method Not Allowed"))
        await writer.drain()
        writer.close()

    def _answer(self, asked: dict[str, Any]) -> bytes:
        method = asked["method"]
        self.asked.append(method)
        if method == "tools/call" and self.say is not None:
            return self.say.replace(b'"id": 0', b'"id": %d' % asked["id"])
        if method in ("server/discover", "initialize") and self.at_open is not None:
            return self.at_open
        if "id" not in asked:
            return response("202 Accepted")
        return response("200 OK", json.dumps(self._message(asked)), JSON_TYPE + self._session())

    def _message(self, asked: dict[str, Any]) -> dict[str, Any]:
        results: dict[str, Any] = {
            "initialize": {
                "protocolVersion": asked.get("params", {}).get("protocolVersion"),
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "raw", "version": self.version},
            },
            "tools/list": {"tools": [{"name": "hello", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": "hello"}]},
        }
        result = results.get(asked["method"])
        error = {"error": {"code": -32601, "message": "no such method"}}
        return {"jsonrpc": "2.0", "id": asked["id"], **({"result": result} if result else error)}

    def _session(self) -> str:
        return f"Mcp-Session-Id: {self.session}\r\n" if self.session else ""


@asynccontextmanager
async def listening(server: Server, *, port: int = 0) -> AsyncIterator[int]:
    """The port of a server while it is served."""
    served = await asyncio.start_server(server.handle, "127.0.0.1", port)
    async with served:
        yield served.sockets[0].getsockname()[1]


def client(port: int, *, timeout: float = 60.0, wire: WireLog | None = None) -> McpTools:
    return McpTools({"s": f"http://127.0.0.1:{port}/mcp"}, timeout=timeout, wire=wire or WireLog())


async def told(say: bytes) -> ToolError:
    """The error of a call that is answered so."""
    server = Server()
    async with listening(server) as port, client(port) as tools:
        await tools.list()
        server.say = say
        with pytest.raises(ToolError) as caught:
            await tools.call(HELLO, {})
    return caught.value


HTML = "<!doctype html><p>Sign in to the network to go on</p>"
ERROR = json.dumps({"jsonrpc": "2.0", "id": 0, "error": {"code": -32000, "message": "401 rate limit timeout"}})
CUT = '{"jsonrpc": "2.0", "id": 0, "result": {"content": [{"type": "te'
EVENTS = "Content-Type: text/event-stream\r\n"
KINDS = {
    "400": (response("400 Bad Request"), "request"),
    "401": (response("401 Unauthorized"), "auth"),
    "402": (response("402 Payment Required"), "quota"),
    "403": (response("403 Forbidden"), "auth"),
    "404": (response("404 Not Found"), "request"),
    "408": (response("408 Request Timeout"), "timeout"),
    "422": (response("422 Unprocessable Content"), "request"),
    "429": (response("429 Too Many Requests", headers="Retry-After: 7\r\n"), "rate_limit"),
    "500": (response("500 Internal Server Error"), "overload"),
    "502 of a proxy": (response("502 Bad Gateway", HTML, "Content-Type: text/html\r\n"), "overload"),
    "503": (response("503 Service Unavailable"), "overload"),
    "a redirect": (response("302 Found", headers="Location: https://login.example/\r\n"), "protocol"),
    "a page": (response("200 OK", HTML, "Content-Type: text/html; charset=utf-8\r\n"), "proxy_body"),
    "a text": (response("200 OK", "fine", "Content-Type: text/plain\r\n"), "protocol"),
    "no JSON": (response("200 OK", "{nothing}", JSON_TYPE), "protocol"),
    "JSON cut": (response("200 OK", CUT, JSON_TYPE), "truncated"),
    "an error of JSON-RPC": (response("200 OK", ERROR, JSON_TYPE), "protocol"),
    "a stream of events that ends early": (response("200 OK", ": hello\n\n", EVENTS), "truncated"),
    "a body shorter than was said": (
        b"HTTP/1.1 200 OK\r\n" + JSON_TYPE.encode() + b"Content-Length: 900\r\n\r\n{",
        "truncated",
    ),
    "a socket closed": (b"", "reset"),
    "no HTTP": (b"SSH-2.0-OpenSSH_9.6\r\n", "reset"),
}


@pytest.mark.parametrize("way", KINDS)
async def test_each_way_to_break_has_its_kind(way: str) -> None:
    say, kind = KINDS[way]
    error = await told(say)
    assert (error.kind, error.sent) == (kind, True)


@pytest.mark.parametrize("way", KINDS)
async def test_the_call_after_a_break_is_answered(way: str) -> None:
    server = Server()
    async with listening(server) as port, client(port) as tools:
        server.say = KINDS[way][0]
        with pytest.raises(ToolError):
            await tools.call(HELLO, {})
        server.say = None
        assert (await tools.call(HELLO, {})).text == "hello"


@pytest.mark.parametrize(
    "way", ["429", "502 of a proxy", "JSON cut", "a stream of events that ends early", "a socket closed"]
)
async def test_a_call_that_broke_is_sent_once(way: str) -> None:
    server = Server()
    async with listening(server) as port, client(port) as tools:
        server.say = KINDS[way][0]
        with pytest.raises(ToolError):
            await tools.call(HELLO, {})
    assert server.asked.count("tools/call") == 1


async def test_a_server_that_never_answers_is_mcp_timeout() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        await ended.wait()
        writer.close()

    ended = asyncio.Event()
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as served:
        tools = client(served.sockets[0].getsockname()[1], timeout=0.3)
        with pytest.raises(ToolError) as caught:
            await tools.__aenter__()
        ended.set()
    assert (caught.value.kind, caught.value.sent) == ("mcp_timeout", False)


@pytest.mark.parametrize(("way", "kind"), [("401", "auth"), ("429", "rate_limit"), ("a page", "proxy_body")])
async def test_a_server_that_does_not_let_us_open_says_why(way: str, kind: str) -> None:
    async with listening(Server(at_open=KINDS[way][0])) as port:
        with pytest.raises(ToolError) as caught:
            await client(port).__aenter__()
    assert (caught.value.kind, caught.value.sent) == (kind, False)


async def test_a_port_where_nobody_listens_is_connect_and_nothing_was_sent() -> None:
    async with listening(Server()) as port:
        pass
    with pytest.raises(ToolError) as caught:
        await client(port).__aenter__()
    assert (caught.value.kind, caught.value.sent) == ("connect", False)


async def test_a_server_that_went_away_is_connect_and_the_next_one_there_answers() -> None:
    async with listening(Server()) as port:
        tools = client(port)
        await tools.__aenter__()
        await tools.list()
    with pytest.raises(ToolError) as caught:
        await tools.call(HELLO, {})
    async with listening(Server(), port=port):
        assert (await tools.call(HELLO, {})).text == "hello"
        await tools.__aexit__(None, None, None)
    assert caught.value.kind == "connect"


async def test_a_session_that_the_server_forgot_is_mcp_closed_and_opened_anew() -> None:
    server = Server(session="a1")
    async with listening(server) as port, client(port) as tools:
        server.say = response("404 Not Found")
        with pytest.raises(ToolError) as caught:
            await tools.call(HELLO, {})
        server.say = None
        assert (await tools.call(HELLO, {})).text == "hello"
    assert (caught.value.kind, server.asked.count("initialize")) == ("mcp_closed", 2)


async def test_a_server_that_came_back_with_another_version_is_not_called() -> None:
    server = Server(session="a1")
    async with listening(server) as port, client(port) as tools:
        await tools.list()
        server.say, server.version = response("404 Not Found"), "2"
        with pytest.raises(ToolError):
            await tools.call(HELLO, {})
        server.say = None
        with pytest.raises(ToolError) as caught:
            await tools.call(HELLO, {})
    assert (caught.value.kind, caught.value.sent) == ("protocol", False)


async def test_the_log_holds_the_status_and_when_to_come_back() -> None:
    log, server = WireLog(), Server()
    async with listening(server) as port, client(port, wire=log) as tools:
        server.say = KINDS["429"][0]
        with pytest.raises(ToolError):
            await tools.call(HELLO, {"secret": "the words of a person"})
    (event,) = log.broken()
    assert (event.status, event.retry_after, event.kind) == (429, 7.0, "rate_limit")
    assert "words of a person" not in repr(log.events)


async def test_every_exchange_is_sent_and_ends_once() -> None:
    log, server = WireLog(), Server()
    async with listening(server) as port, client(port, wire=log) as tools:
        await tools.list()
        server.say = KINDS["a socket closed"][0]
        with pytest.raises(ToolError):
            await tools.call(HELLO, {})
        server.say = None
        await tools.call(HELLO, {})
    sent = [event.exchange for event in log.events if event.phase == "sent"]
    ended = [event.exchange for event in log.events if event.phase in ("answered", "broken")]
    assert sent == ended == sorted(set(sent), key=sent.index)
