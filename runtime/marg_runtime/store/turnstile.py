"""A turnstile: one task of a process at a time for each name, in the order in which they came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turnstile:
    """Locks by name, each there only while somebody holds it or waits."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting: dict[str, int] = {}

    @asynccontextmanager
    async def one(self, name: str) -> AsyncIterator[None]:
        """Hold the lock of a name for as long as the block lasts."""
        lock = self._locks.setdefault(name, asyncio.Lock())
        self._waiting[name] = self._waiting.get(name, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._waiting[name] -= 1
            if not self._waiting[name]:
                del self._waiting[name], self._locks[name]

    def busy(self, name: str) -> bool:
        """Whether somebody holds the lock of a name or waits for it."""
        return name in self._locks
