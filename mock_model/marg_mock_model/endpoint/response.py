"""A response as it goes out: status, headers, and the body in the chunks that are flushed one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from marg_mock_model.endpoint.json_text import json_bytes

Headers = list[tuple[bytes, bytes]]

JSON_TYPE = (b"content-type", b"application/json")
STREAM_TYPE = (b"content-type", b"text/event-stream; charset=utf-8")
NO_CACHE = (b"cache-control", b"no-cache")


@dataclass(frozen=True, kw_only=True, slots=True)
class Response:
    """A response; a stream has one chunk for each event."""

    status: int = 200
    headers: Headers = field(default_factory=list)
    chunks: Sequence[bytes] = ()
    is_stream: bool = False

    @property
    def body(self) -> bytes:
        """The whole body."""
        return self.chunks[0] if len(self.chunks) == 1 else b"".join(self.chunks)


def json_response(value: Any, *, status: int = 200, headers: Sequence[tuple[bytes, bytes]] = ()) -> Response:
    """A JSON body with its length."""
    body = json_bytes(value)
    length = (b"content-length", b"%d" % len(body))
    return Response(status=status, headers=[JSON_TYPE, length, *headers], chunks=(body,))


def stream_response(events: Sequence[bytes], *, headers: Sequence[tuple[bytes, bytes]] = ()) -> Response:
    """Server-sent events; their length is not told."""
    return Response(headers=[STREAM_TYPE, NO_CACHE, *headers], chunks=events, is_stream=True)
