"""A client of an SDK for each event loop: its open connections belong to the loop that opened them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class _Closing(Protocol):
    async def close(self) -> None: ...


_Client = TypeVar("_Client", bound=_Closing)


class ClientPerLoop(Generic[_Client]):
    """Makes a client when it is first asked for in a loop; the one of an earlier loop is dropped."""

    def __init__(self, make: Callable[[], _Client]) -> None:
        self._make = make
        self._client: _Client | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def here(self) -> _Client:
        """The client of the running loop."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self._make(), loop
        return self._client

    async def aclose(self) -> None:
        """Close the client of the running loop, if there is one."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()
