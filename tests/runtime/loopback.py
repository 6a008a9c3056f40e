"""A server on loopback that sends exactly the bytes it is told, piece by piece, and keeps the requests it got.

Each connection takes the next answer of the script; one that the script does not foresee is refused, and kept too.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

End = Literal["close", "reset", "stall"]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The bytes of an answer in the pieces that are written one by one, and what happens to the connection then."""

    pieces: tuple[bytes, ...]
    end: End = "close"


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request as it came."""

    line: str
    headers: Mapping[str, str]
    body: Any


@dataclass(kw_only=True)
class Loopback:
    """The server. `url` has no path; `requests` holds what came, the refused too."""

    url: str = ""
    script: list[Answer] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    _serving: set[asyncio.Task[None]] = field(default_factory=set)

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a connection."""
        self._serving.add(asyncio.ensure_future(self.serve(reader, writer)))

    async def end(self) -> None:
        """End what is still being served."""
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            self.requests.append(await _read(reader))
            answer = self.script.pop(0) if self.script else Answer(pieces=(b"HTTP/1.1 599 Unscripted\r\n\r\n",))
            for piece in answer.pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.001)  # so that the pieces are no one packet
            if answer.end == "stall":
                await reader.read()
                self.hung_up.set()
            if answer.end == "reset":
                _linger_none(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(line=head[0], headers=headers, body=json.loads(body) if body else None)


def _linger_none(writer: asyncio.StreamWriter) -> None:
    """Have the connection reset instead of closed."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@asynccontextmanager
async def loopback(*script: Answer) -> AsyncIterator[Loopback]:
    """The server while it runs."""
    served = Loopback(script=list(script))
    server = await asyncio.start_server(served.accept, "127.0.0.1", 0)
    served.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield served
    finally:
        server.close()
        await served.end()
        await server.wait_closed()


STREAM = "text/event-stream"


def head(status: int = 200, *, media: str = STREAM, **headers: str) -> bytes:
    """The head of an answer whose body ends with its connection; `_` in a name stands for `-`."""
    lines = {"content-type": media, "connection": "close", **{n.replace("_", "-"): v for n, v in headers.items()}}
    text = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Status\r\n{text}\r\n".encode()


def streamed(frames: Sequence[bytes], *, end: End = "close", **headers: str) -> Answer:
    """An answer that is a stream of these frames."""
    return Answer(pieces=(head(200, **headers), *frames), end=end)


def failed(status: int, body: Any, **headers: str) -> Answer:
    """An answer that is an error."""
    return Answer(pieces=(head(status, media="application/json", **headers), json.dumps(body).encode()))
