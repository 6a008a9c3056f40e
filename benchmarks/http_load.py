"""A load generator that costs little: HTTP/1.1 over a few connections that stay open, with no library in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import count

CHUNKED = b"transfer-encoding: chunked"
END_OF_CHUNKS = b"0\r\n\r\n"


class LoadError(Exception):
    """A server did not answer as it should."""


class Connection(asyncio.Protocol):
    """One connection: a request goes out when the answer before it is whole."""

    def __init__(self, request: Callable[[], bytes]) -> None:
        self.request = request
        self.answered = 0
        self.failed: str | None = None
        self.closed = asyncio.get_running_loop().create_future()
        self.running = True
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._length = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self.request())

    def data_received(self, data: bytes) -> None:
        """Count an answer when it is whole, and ask again."""
        self._buffer += data
        if self._length < 0 and not self._read_head():
            return
        whole = self._buffer.endswith(END_OF_CHUNKS) if self._length == 0 else len(self._buffer) >= self._length
        if not whole:
            return
        self._buffer.clear()
        self._length = -1
        self.answered += 1
        assert self._transport is not None
        if self.running:
            self._transport.write(self.request())
        else:
            self._transport.close()

    def _read_head(self) -> bool:
        """Find how long the answer is: 0 stands for one in chunks."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._buffer[:end]).lower()
        if not head.startswith(b"http/1.1 200"):
            self.failed = bytes(self._buffer[:500]).decode("utf-8", "replace")
            assert self._transport is not None
            self._transport.close()
            return False
        if CHUNKED in head:
            self._length = 0
        else:
            self._length = end + 4 + int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Say that it is over."""
        if self.running and self.failed is None:
            self.failed = f"the connection was closed: {exc}"
        if not self.closed.done():
            self.closed.set_result(None)


async def answers_per_second(
    port: int, *, path: str, body: Callable[[int], bytes], headers: bytes, connections: int, seconds: float
) -> float:
    """How many answers a server gives a second; `body` makes the body of the request of a number.

    Raises LoadError where an answer is not status 200, or a connection is closed.
    """
    numbers = count(1)

    def request() -> bytes:
        content = body(next(numbers))
        length = b"content-length: %d\r\n" % len(content)
        return b"POST %s HTTP/1.1\r\nhost: bench\r\n" % path.encode() + headers + length + b"\r\n" + content

    loop = asyncio.get_running_loop()
    opened = [
        (await loop.create_connection(lambda: Connection(request), "127.0.0.1", port))[1] for _ in range(connections)
    ]
    await asyncio.sleep(seconds / 10)
    before, started = sum(c.answered for c in opened), time.perf_counter()
    await asyncio.sleep(seconds)
    answered, took = sum(c.answered for c in opened) - before, time.perf_counter() - started
    for connection in opened:
        connection.running = False
    await asyncio.wait([connection.closed for connection in opened], timeout=10)
    failed = next((c.failed for c in opened if c.failed), None)
    if failed is not None:
        raise LoadError(failed)
    return answered / took
