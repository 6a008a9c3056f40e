"""The store of one process: ledgers in memory, gone with it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from marg_runtime.errors import RevisionConflict
from marg_runtime.ledger import Entry


class MemoryStore:
    """A `Store` in memory, for tests, replays and sessions that need not outlive their process."""

    def __init__(self) -> None:
        self._ledgers: defaultdict[str, list[Entry]] = defaultdict(list)
        self._leases: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        """A session's entries with a revision above `after`."""
        return tuple(self._ledgers[session][after:])

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        """Append entries, all or none; raises RevisionConflict where the first is not the next revision."""
        ledger = self._ledgers[session]
        expected = range(len(ledger) + 1, len(ledger) + 1 + len(entries))
        if [entry.revision for entry in entries] != list(expected):
            got = [entry.revision for entry in entries]
            raise RevisionConflict(f"session {session!r} is at revision {len(ledger)}, refused entries {got!r}")
        ledger.extend(entries)

    def lease(self, session: str) -> AbstractAsyncContextManager[None]:
        """The right to decide for a session."""
        return self._leases[session]
