"""The writer: one process's hold of a session's ledger. It follows the ledger, appends to it, and keeps snapshots."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from marg_runtime.acts import Act
from marg_runtime.decide.book import place
from marg_runtime.errors import LeaseLost, LedgerError, RevisionConflict, StoreError
from marg_runtime.events.event import Event
from marg_runtime.events.turn import ActQueued
from marg_runtime.fold import apply, fold
from marg_runtime.ledger import Entry
from marg_runtime.state import State
from marg_runtime.store.frozen import code_digest, freeze, thaw
from marg_runtime.store.store import Lease, Snapshot, Store

SNAPSHOT_ENTRIES = 256
SNAPSHOT_SHARE = 8
"""A snapshot is kept once so many entries have come since the last, and at least an eighth of what that one stood for:
opening folds an eighth of a long ledger at most, and all its snapshots together cost no more than one pass over it."""


@dataclass(frozen=True, kw_only=True)
class Queued:
    """An act in its place in the ledger, and the state there."""

    revision: int
    state: State


class LedgerWriter:
    """The ledger of one session, as this process knows it and writes it."""

    def __init__(self, *, session: str, store: Store) -> None:
        self.session = session
        self.state = State()
        self._store = store
        self._lease: Lease | None = None
        self._kept = 0
        self._fenced = 0  # while the lease is held: up to here all is ours, or was there when we took it

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[None]:
        """Hold the session's lease, with everything folded that was decided before."""
        async with self._store.lease(self.session) as lease:
            self._lease = lease
            try:
                await self.catch_up()
                self._fenced = self.state.revision
                yield
            finally:
                self._lease = None

    async def check_lease(self) -> None:
        """Raise LeaseLost where another worker may decide by now."""
        if self._lease is None or not await self._lease.confirm():
            raise LeaseLost(
                f"session {self.session!r}: another worker took the lease after it had expired, and takes the turn over"
            )

    async def catch_up(self) -> None:
        """Fold what has been appended since; the first time from the last snapshot on, if one is of this very code."""
        if not self.state.revision:
            await self._thaw()
        self._take_in(await self._store.read(self.session, after=self.state.revision))

    async def queue(self, act: Act) -> Queued:
        """Append an act, behind whatever others append meanwhile. Needs no lease."""
        while True:
            state = self.state
            entry = place(state, ActQueued(act=act), at=act.at)
            try:
                await self._store.append(self.session, (entry,))
            except RevisionConflict:
                since = await self._store.read(self.session, after=state.revision)
                self._check_moved(since, beyond=state.revision)
                self._take_in(since)
                continue
            queued = Queued(revision=entry.revision, state=apply(state, entry))
            self._advance(queued.state)
            return queued

    async def append(self, events: Sequence[Event], *, at: int) -> tuple[Entry, ...]:
        """Append what was decided, by compare-and-swap, as the holder of the lease; gives the entries.

        Where acts were queued meanwhile, the same events follow them. Raises LeaseLost where anything else was
        appended, which is another worker's decision, or where the lease has expired.
        """
        await self.check_lease()
        while True:
            base = self.state
            if base.revision > self._fenced:
                await self._fence()
                continue
            placed = _place_all(base, events, at=at)
            try:
                await self._store.append(self.session, placed.entries)
            except RevisionConflict:
                await self._fence()
                continue
            self._fenced = placed.state.revision
            self._advance(placed.state)
            return placed.entries

    async def keep_snapshot(self) -> None:
        """Keep a snapshot of the state, if enough has come since the last."""
        state = self.state
        if state.revision - self._kept >= max(SNAPSHOT_ENTRIES, self._kept // SNAPSHOT_SHARE):
            snapshot = Snapshot(revision=state.revision, digest=code_digest(), body=freeze(state))
            with suppress(
                StoreError
            ):  # no turn is undone for want of what can be done without; the next one tries again
                await self._store.keep(self.session, snapshot)
                self._kept = state.revision

    async def _thaw(self) -> None:
        snapshot = await self._store.snapshot(self.session)
        if snapshot is None or snapshot.digest != code_digest():
            return
        with suppress(LedgerError):  # a damaged one is not worth a session: the ledger gives the same state
            self._advance(thaw(snapshot.body))
            self._kept = snapshot.revision

    async def _fence(self) -> None:
        """Take in what was appended since; raise LeaseLost where it is more than acts that were queued."""
        since = await self._store.read(self.session, after=self._fenced)
        self._check_moved(since, beyond=self._fenced)
        if not all(isinstance(entry.event, ActQueued) for entry in since):
            raise LeaseLost(f"session {self.session!r}: another worker decided under this one's lease")
        self._take_in(since)
        self._fenced = since[-1].revision

    def _check_moved(self, since: Sequence[Entry], *, beyond: int) -> None:
        if not since:
            raise LedgerError(
                f"session {self.session!r} is no longer at revision {beyond!r} or beyond: "
                "it was deleted or restored from a backup; open it anew"
            )

    def _take_in(self, entries: Sequence[Entry]) -> None:
        state = self.state
        self._advance(fold((entry for entry in entries if entry.revision > state.revision), state=state))

    def _advance(self, state: State) -> None:
        # Two tasks of one session may fold the same entries while the store is awaited; the state never goes back.
        if state.revision > self.state.revision:
            self.state = state


@dataclass(frozen=True, kw_only=True)
class _Placed:
    """Events in their places, and the state after them."""

    entries: tuple[Entry, ...]
    state: State


def _place_all(state: State, events: Sequence[Event], *, at: int) -> _Placed:
    entries: list[Entry] = []
    for event in events:
        entries.append(place(state, event, at=at))
        state = apply(state, entries[-1])
    return _Placed(entries=tuple(entries), state=state)
