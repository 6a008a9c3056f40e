"""The part of ASGI that the endpoint speaks, and the connection under it."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from marg_mock_model.endpoint.cork import Cork
from marg_mock_model.endpoint.response import Response

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

# No lingering: the kernel resets the connection when it is closed.
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


async def body_of(receive: Receive) -> bytes | None:
    """The body of a request; None where the client left before it had sent it all."""
    message = await receive()
    if message["type"] != "http.request":
        return None
    if not message.get("more_body"):
        return bytes(message.get("body", b""))
    parts = [message.get("body", b"")]
    while message.get("more_body"):
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
    return b"".join(parts)


async def send_whole(send: Send, response: Response, cork: Cork) -> None:
    """Send a response; with nothing to wait for, its head and all of its events go out in one piece."""
    cork.cork()
    try:
        await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
        await send({"type": "http.response.body", "body": response.body})
    finally:
        cork.uncork()


async def send_part(send: Send, response: Response, chunks: int) -> None:
    """Send a response's head and its first chunks, each flushed, and leave it open."""
    await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
    for chunk in response.chunks[:chunks]:
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
        # The loop writes what the socket did not take at once.
        await asyncio.sleep(0)


async def send_rest(send: Send, response: Response, chunks: int) -> None:
    """Send what stands behind a response's first chunks, and end it."""
    await send({"type": "http.response.body", "body": b"".join(response.chunks[chunks:])})


async def client_left(receive: Receive) -> None:
    """Wait until the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def reset(transport: asyncio.Transport) -> None:
    """Reset a connection: what was sent is read, then the client meets an error."""
    sock = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
    transport.abort()
