"""The store in SQL: one code for SQLite and PostgreSQL. Needs the extra `serve`."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, TypeVar

from sqlalchemy import BigInteger, Connection, Select, bindparam, case, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError

from marg_runtime.errors import RevisionConflict, StoreError
from marg_runtime.events.turn import AnswerDelivered
from marg_runtime.events.write import WriteAbsent, WriteClaimed, WriteDone, WriteRefused, WriteUnknown
from marg_runtime.ledger import Entry, decode, encode
from marg_runtime.store.connections import Connections, connections
from marg_runtime.store.leases import LeaseTable, SqlLease, clock, wait_for
from marg_runtime.store.migrations import migrate
from marg_runtime.store.store import UNKNOWN_TIME, Lease, Snapshot, StoredSession, check_id, check_next
from marg_runtime.store.tables import ENTRIES, LEASES, SESSIONS, SNAPSHOTS
from marg_runtime.store.turnstile import Turnstile

LEASE_SECONDS = 10.0
"""How long a lease lasts unless it is renewed: what a session waits for after its worker died."""

_T = TypeVar("_T")

# What has left the process must not be taken back by a crash of the machine: an answer, and all about a write. Waiting
# for the disk at these keeps everything before them, too.
_LASTING = (AnswerDelivered, WriteClaimed, WriteDone, WriteRefused, WriteUnknown, WriteAbsent)

_READ = (
    select(ENTRIES.c.line)
    .where(ENTRIES.c.session == bindparam("of"), ENTRIES.c.revision > bindparam("after"))
    .order_by(ENTRIES.c.revision)
)
_STANDING = select(SESSIONS.c.revision).where(SESSIONS.c.session == bindparam("of"))
_AT = bindparam("at", type_=BigInteger)
_MOVE = (
    update(SESSIONS)
    .where(SESSIONS.c.session == bindparam("of"), SESSIONS.c.revision == bindparam("standing"))
    # The events of a turn have the time of its act, and acts that came later may have been queued meanwhile.
    .values(
        revision=bindparam("last"),
        last_at=case((SESSIONS.c.last_at > _AT, SESSIONS.c.last_at), else_=_AT),
    )
)
_ENTER = insert(ENTRIES)
_SNAPSHOT = (
    select(SNAPSHOTS.c.revision, SNAPSHOTS.c.digest, SNAPSHOTS.c.body)
    .join(SESSIONS, SESSIONS.c.session == SNAPSHOTS.c.session)
    .where(SNAPSHOTS.c.session == bindparam("of"), SNAPSHOTS.c.revision <= SESSIONS.c.revision)
)
_SESSIONS = select(SESSIONS.c.session, SESSIONS.c.revision, SESSIONS.c.first_at, SESSIONS.c.last_at)
_DELETE = delete(SESSIONS).where(SESSIONS.c.session == bindparam("of"))


class SqlStore:
    """A `Store` in a database. Open it with `SqlStore.open`, use it from one event loop, and close it.

    Every call runs in a thread of the store's own. Errors of the database are raised as StoreError, with nothing
    half-written: every append is one transaction.
    """

    def __init__(self, opened: Connections, *, lease_seconds: float) -> None:
        self._connections = opened
        self._lease_seconds = lease_seconds
        self._threads = ThreadPoolExecutor(max_workers=opened.threads, thread_name_prefix="marg-store")
        # Renewals have a thread to themselves: behind the work of many sessions they would come too late.
        # One in memory is of this process alone, and its one connection is for one thread.
        shared = opened.lasting is opened.passing
        self._renewals = (
            self._threads if shared else ThreadPoolExecutor(max_workers=1, thread_name_prefix="marg-leases")
        )
        self._turnstile = Turnstile()
        dialect = opened.lasting.dialect
        self._leases = LeaseTable(dialect)
        upsert = sqlite.insert if dialect.name == "sqlite" else postgresql.insert
        self._begin = upsert(SESSIONS).on_conflict_do_nothing().inline().execution_options(preserve_rowcount=True)
        columns: list[Any] = [bindparam("of"), bindparam("at"), bindparam("by"), bindparam("text")]
        reached = (SESSIONS.c.session == bindparam("of")) & (SESSIONS.c.revision >= bindparam("at"))
        known: Select[Any] = select(*columns).where(reached)
        kept = upsert(SNAPSHOTS).inline().from_select(["session", "revision", "digest", "body"], known)
        self._keep = kept.on_conflict_do_update(
            index_elements=[SNAPSHOTS.c.session],
            set_={name: kept.excluded[name] for name in ("revision", "digest", "body")},
        )

    @classmethod
    async def open(cls, url: str, *, lease_seconds: float = LEASE_SECONDS) -> SqlStore:
        """The store of a URL: `sqlite:///FILE`, `sqlite://` (in memory) or `postgresql://USER@HOST/DATABASE`.

        Its schema is made, or brought to the present version. Raises UsageError for another URL, StoreError where the
        database cannot be opened or is of a later release.
        """
        store = cls(connections(url), lease_seconds=lease_seconds)
        try:
            await store._run(store._migrate)
        except BaseException:
            await store.close()
            raise
        return store

    async def read(self, session: str, *, after: int = 0) -> tuple[Entry, ...]:
        """A session's entries with a revision above `after`."""

        def reading(connection: Connection) -> tuple[Entry, ...]:
            lines = connection.execute(_READ, {"of": session, "after": after}).scalars().all()
            return tuple(decode(line) for line in lines)

        return await self._alone(reading)

    async def append(self, session: str, entries: Sequence[Entry]) -> None:
        """Append entries, all or none; raises RevisionConflict where the first is not the next revision."""
        if entries:
            check_id(session)
            await self._run(lambda: self._append(session, entries))

    def lease(self, session: str) -> AbstractAsyncContextManager[Lease]:
        """The right to decide for a session, across processes. Whoever waits in this process is served in order."""
        return self._lease(session)

    async def snapshot(self, session: str) -> Snapshot | None:
        """The last snapshot that was kept, unless the ledger does not reach it."""

        def looking(connection: Connection) -> Snapshot | None:
            row = connection.execute(_SNAPSHOT, {"of": session}).first()
            return Snapshot(revision=row.revision, digest=row.digest, body=row.body) if row else None

        return await self._alone(looking)

    async def keep(self, session: str, snapshot: Snapshot) -> None:
        """Keep a snapshot in the place of the one before."""
        given = {"of": session, "at": snapshot.revision, "by": snapshot.digest, "text": snapshot.body}
        await self._alone(lambda connection: connection.execute(self._keep, given).rowcount)

    async def sessions(self) -> tuple[StoredSession, ...]:
        """All sessions, in the order of their ids."""

        def listing(connection: Connection) -> tuple[StoredSession, ...]:
            rows = connection.execute(_SESSIONS).mappings().all()
            return tuple(sorted((StoredSession(**row) for row in rows), key=lambda one: one.session))

        return await self._alone(listing)

    async def delete(self, session: str) -> bool:
        """Delete a session once no worker holds its lease; False where it is unknown."""

        def deleting() -> bool:
            with self._connections.lasting.begin() as connection:
                there = connection.execute(_DELETE, {"of": session}).rowcount == 1
            self._overwrite()
            return there

        async with self.lease(session):
            return await self._run(deleting)

    async def delete_older_than(self, at: int) -> tuple[str, ...]:
        """Delete the sessions that `is_older` than a time, except those that a worker holds."""
        held = select(LEASES.c.session).where(LEASES.c.expires > self._leases.now)
        last_at = SESSIONS.c.last_at
        old = delete(SESSIONS).where(last_at > UNKNOWN_TIME, last_at < at, SESSIONS.c.session.not_in(held))

        def pruning() -> tuple[str, ...]:
            with self._connections.lasting.begin() as connection:
                gone = connection.execute(old.returning(SESSIONS.c.session)).scalars().all()
                self._leases.forget(connection)
            self._overwrite()
            return tuple(sorted(gone))

        return await self._run(pruning)

    async def close(self) -> None:
        """Close every connection, once what is under way is done."""
        for threads in (self._threads, self._renewals):
            await asyncio.to_thread(threads.shutdown)
        self._connections.close()

    # In the threads

    def _migrate(self) -> None:
        with self._connections.lasting.begin() as connection:
            migrate(connection)

    def _append(self, session: str, entries: Sequence[Entry]) -> None:
        first, last, at = entries[0], entries[-1], max(entry.at for entry in entries)
        rows = [{"session": session, "revision": entry.revision, "line": encode(entry)} for entry in entries]
        lasts = any(isinstance(entry.event, _LASTING) for entry in entries)
        with (self._connections.lasting if lasts else self._connections.passing).begin() as connection:
            if last.revision - first.revision != len(entries) - 1 or not self._move(
                connection, session, first, last, at
            ):
                standing = connection.execute(_STANDING, {"of": session}).scalar() or 0
                check_next(session, entries, standing=standing)
                raise RevisionConflict(f"session {session!r} was moved to revision {standing!r} by another worker")
            self._insert(connection, rows)

    def _move(self, connection: Connection, session: str, first: Entry, last: Entry, at: int) -> bool:
        """Move the head of the ledger from before the first entry to the last; False where it stands elsewhere."""
        if first.revision == 1:
            new = {"session": session, "revision": last.revision, "first_at": first.at, "last_at": at}
            return connection.execute(self._begin, new).rowcount == 1
        moved = {"of": session, "standing": first.revision - 1, "last": last.revision, "at": at}
        return connection.execute(_MOVE, moved).rowcount == 1

    def _insert(self, connection: Connection, rows: Sequence[dict[str, object]]) -> None:
        connection.execute(_ENTER, rows)

    def _overwrite(self) -> None:
        """Bring what was deleted from SQLite's log into its file, as far as no other process is reading."""
        with self._connections.alone.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").close()

    # On the loop

    async def _run(
        self, work: Callable[[], _T], *, repeatable: bool = False, threads: ThreadPoolExecutor | None = None
    ) -> _T:
        """Do the work in a thread; who is cancelled waits for its end, so that nobody after it finds it half done.

        What is `repeatable` is done once more where the server had cut the connection; an append is not, for nobody
        knows whether it was made.
        """

        def working() -> _T:
            with self._connections.errors():
                try:
                    return work()
                except DBAPIError as error:
                    if not repeatable or not error.connection_invalidated:
                        raise
                return work()

        future = asyncio.get_running_loop().run_in_executor(threads or self._threads, working)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            await asyncio.wait([future])
            raise

    async def _alone(self, work: Callable[[Connection], _T], *, threads: ThreadPoolExecutor | None = None) -> _T:
        """Do single statements, each its own transaction, that do no harm when they are repeated."""

        def connected() -> _T:
            with self._connections.alone.connect() as connection:
                return work(connection)

        return await self._run(connected, repeatable=True, threads=threads)

    @asynccontextmanager
    async def _lease(self, session: str) -> AsyncIterator[Lease]:
        async with self._turnstile.one(session):
            holder = uuid.uuid4().hex
            try:
                lease = await self._take(session, holder)
                try:
                    yield lease
                finally:
                    await lease.stop()
            finally:
                with suppress(StoreError):  # it expires by itself; what was done under it is done
                    await self._alone(lambda c: self._leases.release(c, session=session, holder=holder))

    async def _take(self, session: str, holder: str) -> SqlLease:
        milliseconds = round(self._lease_seconds * 1000)
        asked_at = clock()

        def taking(connection: Connection, again: bool) -> bool:
            # A look asks for no lock; while others wait it must not stop the one who decides from writing.
            if again and self._leases.is_held(connection, session=session):
                return False
            return self._leases.take(connection, session=session, holder=holder, milliseconds=milliseconds)

        async def take(again: bool) -> bool:
            nonlocal asked_at
            asked_at = clock()
            return await self._alone(lambda connection: taking(connection, again))

        def renewing(connection: Connection) -> bool:
            return self._leases.renew(connection, session=session, holder=holder, milliseconds=milliseconds)

        async def renew() -> bool:
            return await self._alone(renewing, threads=self._renewals)

        await wait_for(take)
        lease = SqlLease(seconds=self._lease_seconds, renew=renew, asked_at=asked_at)
        lease.start()
        return lease
