"""The short way for an answer that nothing delays: a request that came whole is answered before it is let go of.

uvicorn makes a task, a scope and a cycle of events of every request, and h11 checks every header of an answer: right
for an application that may wait and say anything. An endpoint without a fault to play never waits, and the headers of
its answers are its own: they are written as they are. The parser is h11 all the same; whatever is not one whole plain
request is left to uvicorn, on the same connection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from marg_mock_model.endpoint.response import Headers, Response

PLAIN_METHOD = b"POST /"
MOST_BYTES = 64 * 1024
"""A request above this comes in several parts, and is not tried."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainRequest:
    """A whole request; header names are in lower case."""

    path: str
    headers: Headers
    body: bytes


AtOnce = Callable[[PlainRequest], Response | None]
"""Answers a request at once; None where that cannot be done."""


def plain_request(data: bytes, h11: Any) -> PlainRequest | None:
    """The one whole request that the data is; None where it is part of one, more than one, or none that is plain."""
    if len(data) > MOST_BYTES or not data.startswith(PLAIN_METHOD):
        return None
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    try:
        request = connection.next_event()
        if type(request) is not h11.Request or request.http_version != b"1.1":
            return None
        headers = list(request.headers)
        if connection.they_are_waiting_for_100_continue or not _stays_open(headers):
            return None
        body = bytearray()
        while type(event := connection.next_event()) is h11.Data:
            body += event.data
    except h11.RemoteProtocolError:
        return None
    if type(event) is not h11.EndOfMessage or connection.trailing_data[0]:
        return None
    return PlainRequest(path=request.target.decode("latin-1"), headers=headers, body=bytes(body))


def _stays_open(headers: Headers) -> bool:
    return all(value.lower() == b"keep-alive" for name, value in headers if name == b"connection")


def written(response: Response) -> bytes:
    """A response as it goes over the wire: with its length, or where that is not told as one chunk."""
    body = response.body
    lines = [_STATUS_LINES[response.status]]
    lines += [b"%s: %s\r\n" % header for header in response.headers]
    if not response.is_stream:
        return b"".join([*lines, b"\r\n", body])
    return b"".join([*lines, b"transfer-encoding: chunked\r\n\r\n%x\r\n" % len(body), body, b"\r\n0\r\n\r\n"])


_STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}
