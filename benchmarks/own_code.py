"""How long each side's own code takes for an answer, with no server and no socket under it.

Both applications are called as ASGI, in this process; the least of many short runs is taken, for whatever else the
machine does can only add to one.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.endpoint_servers import MACHINE
from marg_mock_model import parse_machine
from marg_mock_model.endpoint.apis import CHAT
from marg_mock_model.endpoint.app import EndpointApp
from marg_mock_model.endpoint.conversations import Conversations
from marg_mock_model.endpoint.cork import Cork
from marg_mock_model.endpoint.desk import Desk
from marg_mock_model.endpoint.fault import Faults
from marg_mock_model.endpoint.journal import Journal
from marg_mock_model.endpoint.response import json_response
from marg_mock_model.endpoint.usage import usage_of
from marg_mock_model.endpoint.wire import WireReply

RUNS = 400
CALLS = 5


@dataclass(frozen=True, kw_only=True)
class OwnCode:
    """Microseconds an answer; `parts_us` are those of the endpoint's JSON."""

    echo_us: float
    json_us: float
    stream_us: float
    parts_us: dict[str, float]


def own_code() -> OwnCode:
    """Measure all of it."""
    machine = parse_machine(MACHINE, path="bench.machine.yaml")
    endpoint = EndpointApp(Desk(machine=machine, journal=Journal()), faults=Faults())
    cork = Cork(asyncio.Transport())

    async def ours(scope: Any, receive: Any, send: Any) -> None:
        await endpoint(scope, receive, send, cork)

    return OwnCode(
        echo_us=asyncio.run(_called(_echo(), stream=False)),
        json_us=asyncio.run(_called(ours, stream=False)),
        stream_us=asyncio.run(_called(ours, stream=True)),
        parts_us=_parts(Conversations(machine)),
    )


def _echo() -> Callable[..., Awaitable[None]]:
    async def echo(request: Request) -> JSONResponse:
        return JSONResponse(await request.json())

    return Starlette(routes=[Route("/v1/chat/completions", echo, methods=["POST"])])


async def _called(app: Callable[..., Awaitable[None]], *, stream: bool) -> float:
    """Microseconds of one call of an application."""
    number = 0

    async def send(message: Any) -> None:
        pass

    async def once() -> float:
        nonlocal number
        calls = []
        for _ in range(CALLS):
            number += 1
            calls.append((_scope(), _receive(_body(number, stream=stream))))
        began = time.perf_counter_ns()
        for scope, receive in calls:
            await app(scope, receive, send)
        return (time.perf_counter_ns() - began) / CALLS / 1000

    return min([await once() for _ in range(RUNS)])


def _parts(conversations: Conversations) -> dict[str, float]:
    """Microseconds of what the endpoint does for a JSON answer, one after the other."""
    raw = _body(1, stream=False)
    asked = CHAT.read(json.loads(raw), headers=(), stored=conversations)
    answer = conversations.answer(asked.request).answer
    usage = usage_of(asked.request, answer, answer.text)
    reply = WireReply(id="0" * 24, text=answer.text, calls=(), finish="stop", usage=usage, model="m")
    return {
        "JSON in": _least(lambda: json.loads(raw)),
        "request": _least(lambda: CHAT.read(json.loads(raw), headers=(), stored=conversations))
        - _least(lambda: json.loads(raw)),
        "machine and history": _least(lambda: conversations.answer(asked.request)),
        "usage": _least(lambda: usage_of(asked.request, answer, answer.text)),
        "JSON out": _least(lambda: json_response(CHAT.document(reply, asked))),
    }


def _least(call: Callable[[], object]) -> float:
    def once() -> float:
        began = time.perf_counter_ns()
        for _ in range(CALLS):
            call()
        return (time.perf_counter_ns() - began) / CALLS / 1000

    return min(once() for _ in range(RUNS))


def _body(number: int, *, stream: bool) -> bytes:
    words = f"Request {number}: what is the weather like in the north today?"
    messages = [{"role": "system", "content": "You are a careful assistant."}, {"role": "user", "content": words}]
    return json.dumps({"model": "bench", "stream": stream, "messages": messages}).encode()


def _receive(body: bytes) -> Callable[[], Awaitable[dict[str, Any]]]:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _scope() -> dict[str, Any]:
    headers = [(b"host", b"bench"), (b"content-type", b"application/json"), (b"authorization", b"Bearer none")]
    return {
        "type": "http",
        "method": "POST",
        "path": "/v1/chat/completions",
        "raw_path": b"/v1/chat/completions",
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 1),
        "client": ("127.0.0.1", 2),
        "state": {},
    }
