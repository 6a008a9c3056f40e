"""What a store of ledgers must do."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from marg_runtime.ledger import Entry


class Store(Protocol):
    """Ledgers by session id. Entries are never changed or removed."""

    async def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        """A session's entries with a revision above `after`, in order; none for an unknown session."""
        ...

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        """Append entries, all or none; the first must be the next revision.

        Raises RevisionConflict where it is not: somebody else appended first.
        """
        ...

    def lease(self, session: str) -> AbstractAsyncContextManager[None]:
        """The right to decide for a session: one worker holds it at a time, the others wait in order."""
        ...
