"""Leases in SQL: who may decide for a session, until when, by the clock of the database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from sqlalchemy import BigInteger, ColumnElement, Connection, Dialect, bindparam, delete, literal_column, select, update
from sqlalchemy.dialects import postgresql, sqlite

from marg_runtime.store.tables import LEASES, SESSIONS

RENEWALS = 3
"""How often a lease is renewed within the time that it is given for."""

FIRST_WAIT_SECONDS = 0.002
LONGEST_WAIT_SECONDS = 0.1
WAIT_GROWTH = 1.6
"""Between two looks at a lease that another process holds: the first wait, the longest, and the growth."""

# Milliseconds since 1970 by the clock of the database, which is one for all its workers.
_NOW = {
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
}


def clock() -> float:
    """Seconds by a clock that never goes back, and that counts the time for which the machine was suspended, where the
    system has one: the database's clock went on."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class LeaseTable:
    """The statements on leases, in the words of one database."""

    def __init__(self, dialect: Dialect) -> None:
        self.now: ColumnElement[int] = literal_column(_NOW[dialect.name], BigInteger())
        insert = sqlite.insert if dialect.name == "sqlite" else postgresql.insert
        until = self.now + bindparam("milliseconds")
        values = {"session": bindparam("session"), "holder": bindparam("holder"), "expires": until}
        new = insert(LEASES).values(values).inline().execution_options(preserve_rowcount=True)
        mine = (LEASES.c.session == bindparam("of")) & (LEASES.c.holder == bindparam("by"))
        self._take = new.on_conflict_do_update(
            index_elements=[LEASES.c.session],
            set_={"holder": new.excluded.holder, "expires": new.excluded.expires},
            where=(LEASES.c.expires <= self.now) | (LEASES.c.holder == new.excluded.holder),
        )
        self._held = select(LEASES.c.holder).where(LEASES.c.session == bindparam("of"), LEASES.c.expires > self.now)
        self._renew = update(LEASES).where(mine).values(expires=until)
        self._release = delete(LEASES).where(mine)
        there = select(SESSIONS.c.session).where(SESSIONS.c.session == LEASES.c.session).exists()
        self._forget = delete(LEASES).where(LEASES.c.expires <= self.now, ~there)

    def take(self, connection: Connection, *, session: str, holder: str, milliseconds: int) -> bool:
        """Take the lease where nobody has it, or whoever had it let it expire."""
        given = {"session": session, "holder": holder, "milliseconds": milliseconds}
        return connection.execute(self._take, given).rowcount == 1

    def is_held(self, connection: Connection, *, session: str) -> bool:
        """Whether somebody has the lease; asks for no lock."""
        return connection.execute(self._held, {"of": session}).first() is not None

    def renew(self, connection: Connection, *, session: str, holder: str, milliseconds: int) -> bool:
        """Prolong the lease; False where somebody else has it by now."""
        given = {"of": session, "by": holder, "milliseconds": milliseconds}
        return connection.execute(self._renew, given).rowcount == 1

    def release(self, connection: Connection, *, session: str, holder: str) -> None:
        """Give the lease up; nothing happens where it is not held."""
        connection.execute(self._release, {"of": session, "by": holder})

    def forget(self, connection: Connection) -> None:
        """Delete what workers that died have left of sessions that are gone: not even an id stays."""
        connection.execute(self._forget)


class Renew(Protocol):
    """Prolongs a lease in the database; False where somebody else has it."""

    def __call__(self) -> Awaitable[bool]: ...


@dataclass(kw_only=True)
class SqlLease:
    """A lease that was taken at `asked_at` by the `clock`, and is renewed in the background of the event loop.

    It is reckoned from before it was asked for, so it ends here before it does in the database. Where the loop was
    blocked for longer than that, it is asked for again: it is lost only once somebody else has it.
    """

    seconds: float
    renew: Renew
    asked_at: float
    _lost: bool = False
    _timer: asyncio.TimerHandle | None = None
    _renewing: set[asyncio.Task[bool]] = field(default_factory=set)

    async def confirm(self) -> bool:
        """Whether nobody else can have it now. Raises StoreError where the database cannot be asked."""
        if not self._lost and clock() >= self.asked_at + self.seconds:
            await self._renewed()
        return not self._lost

    def start(self) -> None:
        """Renew from now on."""
        self._timer = asyncio.get_running_loop().call_later(self.seconds / RENEWALS, self._begin)

    async def stop(self) -> None:
        """Renew no more; it is no longer held."""
        self._lost = True
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*self._renewing, return_exceptions=True)

    def _begin(self) -> None:
        task = asyncio.ensure_future(self._renewed())
        self._renewing.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[bool]) -> None:
        self._renewing.discard(task)
        # What broke is told by the next confirmation, if it lasts; until then the database may be back.
        broke = not task.cancelled() and task.exception() is not None
        if not self._lost and (broke or not task.cancelled()):
            self.start()

    async def _renewed(self) -> bool:
        asked_at = clock()
        if await self.renew():
            self.asked_at = asked_at
        else:
            self._lost = True
        return not self._lost


async def wait_for(take: Callable[[bool], Awaitable[bool]]) -> None:
    """Call `take` until it gives True, with growing waits; it is told whether it has been called before."""
    wait, again = FIRST_WAIT_SECONDS, False
    while not await take(again):
        await asyncio.sleep(wait)
        wait, again = min(wait * WAIT_GROWTH, LONGEST_WAIT_SECONDS), True
