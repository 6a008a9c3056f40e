"""The store of one process: ledgers in memory, gone with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from marg_runtime.ledger import Entry, encode
from marg_runtime.store.store import Lease, Snapshot, StoredSession, check_id, check_next
from marg_runtime.store.turnstile import Turnstile


@dataclass(kw_only=True)
class _Held:
    """A lease within one process: its holder cannot be thought dead."""

    held: bool = True

    async def confirm(self) -> bool:
        """Whether it has not been given up."""
        return self.held


class MemoryStore:
    """A `Store` in memory, for tests, replays and sessions that need not outlive their process."""

    def __init__(self) -> None:
        self._ledgers: defaultdict[str, list[Entry]] = defaultdict(list)
        self._snapshots: dict[str, Snapshot] = {}
        self._turnstile = Turnstile()

    async def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        """A session's entries with a revision above `after`."""
        return tuple(self._ledgers[session][after:]) if session in self._ledgers else ()

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        """Append entries, all or none; raises RevisionConflict where the first is not the next revision."""
        if entries:
            ledger = self._ledgers.get(check_id(session), [])
            check_next(session, entries, standing=len(ledger))
            for entry in entries:
                encode(entry)  # what a database could not hold is refused here, too
            self._ledgers[session].extend(entries)

    def lease(self, session: str) -> AbstractAsyncContextManager[Lease]:
        """The right to decide for a session."""
        return self._lease(session)

    @asynccontextmanager
    async def _lease(self, session: str) -> AsyncIterator[Lease]:
        async with self._turnstile.one(session):
            lease = _Held()
            try:
                yield lease
            finally:
                lease.held = False

    async def snapshot(self, session: str) -> Snapshot | None:
        """The last snapshot that was kept."""
        return self._snapshots.get(session)

    async def keep(self, session: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in the place of the one before."""
        if snapshot.revision <= len(self._ledgers.get(session, ())):
            self._snapshots[session] = snapshot

    async def sessions(self) -> tuple[StoredSession, ...]:
        """All sessions, in the order of their ids."""
        return tuple(
            StoredSession(
                session=session,
                revision=len(ledger),
                first_at=ledger[0].at,
                last_at=max(entry.at for entry in ledger),
            )
            for session, ledger in sorted(self._ledgers.items())
        )

    async def delete(self, session: str) -> bool:
        """Delete a session once no worker holds its lease; False where it is unknown."""
        async with self.lease(session):
            return self._forget(session)

    async def delete_older_than(self, at: int) -> tuple[str, ...]:
        """Delete the sessions that `is_older` than a time, except those that a worker holds."""
        old = [
            one.session for one in await self.sessions() if one.is_older(at) and not self._turnstile.busy(one.session)
        ]
        return tuple(session for session in old if self._forget(session))

    async def close(self) -> None:
        """Nothing is held that must be given up."""

    def _forget(self, session: str) -> bool:
        self._snapshots.pop(session, None)
        return self._ledgers.pop(session, None) is not None
