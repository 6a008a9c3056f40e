"""The short way: it answers one whole plain request, leaves all else to uvicorn, and says the same as uvicorn would."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from marg_mock_model import parse_machine
from marg_mock_model.endpoint import serve
from marg_mock_model.endpoint.lane import plain_request

h11: Any = pytest.importorskip("h11")
pytest.importorskip("uvicorn")

MACHINE = parse_machine(
    "machine: m\nstart: a\nstates: {a: {transitions: [{when: {}, reply: One two three., to: a}]}}", path="m.yaml"
)


def request(*headers: bytes, stream: bool = False, line: bytes = b"POST /v1/chat/completions HTTP/1.1") -> bytes:
    body = json.dumps({"model": "m", "stream": stream, "messages": [{"role": "user", "content": "hi"}]}).encode()
    head = [line, b"host: x", b"content-length: %d" % len(body), *headers]
    return b"\r\n".join([*head, b"", body])


def chunked(*parts: bytes) -> bytes:
    """A request whose body comes in chunks."""
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (*parts, b""))


CHUNKED = chunked(b'{"model":"m","messages":[{"role":"user","con', b'tent":"hi"}]}')


@pytest.mark.parametrize(
    "data",
    [
        request()[:-1],
        request() * 2,
        request(b"connection: close"),
        request(b"expect: 100-continue")[: -len(request().partition(b"\r\n\r\n")[2])],
        request(line=b"POST /v1/chat/completions HTTP/1.0"),
        b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n",
        b"POST / nonsense\r\n\r\n",
        b"POST /" + b"x" * 70_000,
    ],
    ids=["part", "two", "close", "continue", "old", "get", "nonsense", "large"],
)
def test_what_is_not_one_whole_plain_request_is_left_to_uvicorn(data: bytes) -> None:
    assert plain_request(data, h11) is None


def test_a_whole_plain_request_is_read_with_its_headers_in_lower_case() -> None:
    found = plain_request(request(b"X-Thing: 1"), h11)
    assert found is not None
    assert (found.path, (b"x-thing", b"1") in found.headers) == ("/v1/chat/completions", True)


def answers(*parts: bytes, count: int = 1, faults: str = "") -> list[tuple[int, Any]]:
    """The status and the body of the answers to bytes that are sent one part after the other."""

    async def talk() -> list[tuple[int, Any]]:
        async with serve(MACHINE, faults=faults, http="h11") as endpoint:
            reader, writer = await asyncio.open_connection("127.0.0.1", endpoint.listener.port)
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0.01)
            client = h11.Connection(h11.CLIENT)
            found = [await _answer(reader, client) for _ in range(count)]
            writer.close()
            await writer.wait_closed()
            return found

    return asyncio.run(talk())


async def _answer(reader: asyncio.StreamReader, client: Any) -> tuple[int, Any]:
    """One answer, read by h11's own client."""
    if client.our_state is h11.IDLE:
        client.send(h11.Request(method="POST", target="/", headers=[("host", "x"), ("content-length", "0")]))
        client.send(h11.EndOfMessage())
    status, body = 0, b""
    while True:
        event = client.next_event()
        if event is h11.NEED_DATA:
            client.receive_data(await asyncio.wait_for(reader.read(65536), 5))
        elif type(event) is h11.Response:
            status = event.status_code
        elif type(event) is h11.Data:
            body += bytes(event.data)
        elif type(event) is h11.EndOfMessage:
            if client.their_state is h11.DONE and client.our_state is h11.DONE:
                client.start_next_cycle()
            return status, body


WORDS = "One two three."


def said(answer: tuple[int, Any]) -> str:
    status, body = answer
    return str(json.loads(body)["choices"][0]["message"]["content"]) if status == 200 else str(status)


@pytest.mark.parametrize(
    ("parts", "count"),
    [
        ((request(),), 1),
        ((request()[:40], request()[40:]), 1),
        ((request() * 2,), 2),
        ((request(), request()[:40], request()[40:], request()), 3),
        ((request(b"connection: close"),), 1),
        ((CHUNKED,), 1),
        ((CHUNKED[:120], CHUNKED[120:], request()), 2),
    ],
    ids=["whole", "parts", "pipelined", "mixed", "close", "chunked", "chunked-parts"],
)
def test_every_request_is_answered_whichever_way_it_takes(parts: tuple[bytes, ...], count: int) -> None:
    assert [said(answer) for answer in answers(*parts, count=count)] == [WORDS] * count


@pytest.mark.parametrize("stream", [False, True])
def test_the_short_way_says_what_uvicorn_says(stream: bool) -> None:
    data = request(stream=stream)
    assert answers(data) == answers(data[:40], data[40:])


def test_a_fault_is_played_on_the_long_way() -> None:
    assert [status for status, _ in answers(request(), faults="unavailable")] == [503]
