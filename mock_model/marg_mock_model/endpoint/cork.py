"""A connection whose writes can be held back, so that the head and the body of a response go out as one."""

from __future__ import annotations

import asyncio
from typing import Any


class Cork(asyncio.Transport):
    """A transport in front of another one; everything but a write while it is corked passes through."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport
        self._held: list[bytes] | None = None

    def cork(self) -> None:
        """Hold writes back from now on."""
        self._held = []

    def uncork(self) -> None:
        """Write what was held back, as one, and hold nothing back any more."""
        held, self._held = self._held, None
        if held:
            self._transport.write(b"".join(held))

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Write, or hold back."""
        if self._held is None:
            self._transport.write(data)
        else:
            self._held.append(bytes(data))

    def close(self) -> None:
        """Write what is left, and close."""
        self.uncork()
        self._transport.close()

    def abort(self) -> None:
        """Close at once."""
        self._transport.abort()

    def is_closing(self) -> bool:
        """Whether it is closing or closed."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known of the connection."""
        return self._transport.get_extra_info(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Hand the connection to another protocol."""
        self._transport.set_protocol(protocol)

    def pause_reading(self) -> None:
        """Read no more for now."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read again."""
        self._transport.resume_reading()
