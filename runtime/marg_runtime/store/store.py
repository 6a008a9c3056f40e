"""What a store of ledgers must do."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from marg_runtime.canonical import well_formed
from marg_runtime.errors import RevisionConflict, UsageError
from marg_runtime.ledger import Entry

LONGEST_ID = 255
"""Characters of a session's id: what every database can hold in an index."""


UNKNOWN_TIME = 0
"""The time of what came with none: a session that was opened so and has had no act yet may be in use."""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The state that the fold gave at a revision, as text, and the digest of the code that folded it.

    It may be ignored at any time: the ledger gives the same state.
    """

    revision: int
    digest: str
    body: str


@dataclass(frozen=True, kw_only=True)
class StoredSession:
    """A session that a store holds: its last revision, the time of its first entry and the latest of any.

    Times are in milliseconds since 1970 UTC: those that came with the acts, and with the opening.
    """

    session: str
    revision: int
    first_at: int
    last_at: int

    def is_older(self, at: int) -> bool:
        """Whether the session has been still since before a time. One whose time nobody has told is not known to be."""
        return UNKNOWN_TIME < self.last_at < at


class Lease(Protocol):
    """The right to decide for a session, as long as nobody else has taken it."""

    async def confirm(self) -> bool:
        """Whether it is still held: nobody else can have it now. One that expired with nobody waiting is taken anew."""
        ...


class Store(Protocol):
    """Ledgers by session id. Entries are never changed; they go only with their whole session."""

    async def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        """A session's entries with a revision above `after`, in order; none for an unknown session."""
        ...

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        """Append entries, all or none; the first must be the next revision.

        Raises RevisionConflict where it is not: somebody else appended first.
        """
        ...

    def lease(self, session: str) -> AbstractAsyncContextManager[Lease]:
        """The right to decide for a session: one worker holds it at a time, the others wait in order."""
        ...

    async def snapshot(self, session: str) -> Snapshot | None:
        """The last snapshot that was kept, or None; never one of a revision that the ledger does not have."""
        ...

    async def keep(self, session: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in the place of the one before; nothing happens where the session is unknown."""
        ...

    async def sessions(self) -> tuple[StoredSession, ...]:
        """All sessions, in the order of their ids."""
        ...

    async def delete(self, session: str) -> bool:
        """Delete a session with all that is kept of it, once no worker holds its lease; False where it is unknown.

        Its id is not to be used again: a worker may still have the old session in mind.
        """
        ...

    async def delete_older_than(self, at: int) -> tuple[str, ...]:
        """Delete the sessions that `is_older` than a time, except those that a worker holds; gives their ids in order.
        `at` is in milliseconds since 1970 UTC."""
        ...

    async def close(self) -> None:
        """Give up connections and threads. A store that is closed is not used again."""
        ...


def check_id(session: str) -> str:
    """The id of a session; raises UsageError for one that not every store can hold."""
    if not 0 < len(session) <= LONGEST_ID or "\0" in session or well_formed(session) != session:
        raise UsageError(f"a session's id has 1 to {LONGEST_ID} characters and no NUL, not {session!r}")
    return session


def check_next(session: str, entries: Sequence[Entry], *, standing: int) -> None:
    """Raise RevisionConflict unless the entries follow, without a gap, on the revision that the ledger stands at."""
    got = [entry.revision for entry in entries]
    if got != list(range(standing + 1, standing + 1 + len(entries))):
        raise RevisionConflict(f"session {session!r} is at revision {standing}, refused entries {got!r}")
