"""The store in SQL: one lease a session, whatever processes there are and whoever of them dies."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.runtime.store_runs import Run, entry

pytest.importorskip("psycopg")
pytest.importorskip("sqlalchemy")

from sqlalchemy import select

from marg_runtime.errors import RevisionConflict
from marg_runtime.store.sql import SqlStore
from marg_runtime.store.tables import LEASES

SHORT = 0.2
"""Seconds of a lease in a test that waits for its end."""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, database_folder: Path) -> str:
    """An empty database that more than one process can open."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{database_folder / 'store.db'}"


@pytest.fixture
def two(url: str, run: Run) -> Iterator[Callable[[float], tuple[SqlStore, SqlStore]]]:
    """Makes two stores on one database, as two processes have them."""
    made: list[SqlStore] = []

    def make(lease_seconds: float) -> tuple[SqlStore, SqlStore]:
        first, second = (run(SqlStore.open(url, lease_seconds=lease_seconds)) for _ in range(2))
        made.extend([first, second])
        return first, second

    yield make
    for store in made:
        run(store.close())


Two = Callable[[float], tuple[SqlStore, SqlStore]]


def freeze(store: SqlStore) -> None:
    """Let the store renew no lease from now on, as that of a process that died."""
    store._leases.renew = lambda *_, **__: True  # type: ignore[method-assign]


def take_at_once(store: SqlStore) -> None:
    """Take the lease as a third process does, with no turn of the loop in between."""
    with store._connections.alone.connect() as connection:
        assert store._leases.take(connection, session="s1", holder="another", milliseconds=10**6)


def test_C2_a_lease_is_held_by_one_process_at_a_time(two: Two, run: Run) -> None:
    first, second = two(60)

    async def play() -> list[str]:
        order = list[str]()

        async def work(store: SqlStore, name: str) -> None:
            for _ in range(5):
                async with store.lease("s1"):
                    order.append(f"{name} in")
                    await asyncio.sleep(0.001)
                    order.append(f"{name} out")

        await asyncio.gather(work(first, "a"), work(second, "b"))
        return order

    order = run(play())
    assert len(order) == 20
    assert all(
        came[:2] == went[:2] and went.endswith("out") for came, went in zip(order[::2], order[1::2], strict=True)
    )


def test_C2_the_lease_of_a_dead_worker_is_taken_over_once_it_has_expired(two: Two, run: Run) -> None:
    first, second = two(SHORT)
    freeze(first)

    async def play() -> list[bool]:
        async with first.lease("s1"), asyncio.timeout(60), second.lease("s1") as lease:
            return [await lease.confirm()]

    assert run(play()) == [True]


def test_C2_a_lease_that_is_renewed_is_not_taken_over(two: Two, run: Run) -> None:
    first, second = two(SHORT)
    taken = False

    async def wait() -> None:
        nonlocal taken
        async with second.lease("s1"):
            taken = True

    async def play() -> list[bool]:
        async with first.lease("s1") as lease:
            waiting = asyncio.create_task(wait())
            await asyncio.sleep(SHORT * 3)
            within = [taken, await lease.confirm()]
        await waiting
        return [*within, taken]

    assert run(play()) == [False, True, True]


def test_what_is_pruned_leaves_not_even_the_lease_of_a_dead_worker(two: Two, run: Run) -> None:
    store, _ = two(0.05)
    run(store.append("s1", [entry(1, at=1)]))
    run(store.append("s2", [entry(1, at=1)]))

    async def play() -> tuple[str, ...]:
        for session in ("s1", "s2"):
            taken = await store._take(session, "a worker that dies")
            await taken.stop()
        await asyncio.sleep(0.1)
        return await store.delete_older_than(10)

    gone = run(play())
    with store._connections.alone.connect() as connection:
        left = connection.execute(select(LEASES.c.session)).scalars().all()
    assert (gone, left) == (("s1", "s2"), [])


def test_C2_a_lease_that_expired_with_nobody_waiting_is_taken_anew(two: Two, run: Run) -> None:
    first, _ = two(SHORT)

    async def play() -> bool:
        async with first.lease("s1") as lease:
            threading.Event().wait(SHORT * 2)  # the loop is blocked: nothing renews
            return await lease.confirm()

    assert run(play())


def test_C2_a_lease_that_somebody_took_meanwhile_is_lost_for_good(two: Two, run: Run) -> None:
    first, second = two(SHORT)

    async def play() -> list[bool]:
        async with first.lease("s1") as lease:
            threading.Event().wait(SHORT * 2)
            take_at_once(second)
            lost = await lease.confirm()
            return [lost, await lease.confirm()]

    assert run(play()) == [False, False]


def test_C2_giving_up_a_lost_lease_does_not_take_it_from_its_holder(two: Two, run: Run) -> None:
    first, second = two(SHORT)

    async def play() -> bool:
        async with first.lease("s1"):
            threading.Event().wait(SHORT * 2)
            take_at_once(second)
        return await second._alone(lambda c: second._leases.is_held(c, session="s1"))

    assert run(play())


def test_C2_who_is_cancelled_while_another_process_holds_the_lease_leaves_nothing_behind(two: Two, run: Run) -> None:
    first, second = two(60)

    async def hold() -> None:
        async with second.lease("s1"):
            raise AssertionError("it is held by the other")

    async def play() -> bool:
        async with first.lease("s1"):
            waiting = asyncio.create_task(hold())
            await asyncio.sleep(0.05)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        async with asyncio.timeout(60), second.lease("s1") as lease:
            return await lease.confirm()

    assert run(play())


def test_C2_an_append_that_is_cancelled_is_over_when_its_task_is(two: Two, run: Run) -> None:
    first, second = two(60)

    async def play() -> list[int]:
        task = asyncio.create_task(first.append("s1", [entry(1), entry(2)]))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        once = len(await second.read("s1"))
        await asyncio.sleep(0.05)
        return [once, len(await second.read("s1"))]

    once, later = run(play())
    assert once == later == 2


def test_C2_of_appends_at_once_in_two_processes_one_is_taken(two: Two, run: Run) -> None:
    first, second = two(60)

    async def play() -> list[bool]:
        taken = list[bool]()
        for revision in range(1, 21):
            outcomes = await asyncio.gather(
                *(store.append("s1", [entry(revision)]) for store in (first, second)), return_exceptions=True
            )
            assert all(outcome is None or isinstance(outcome, RevisionConflict) for outcome in outcomes)
            taken.append([outcome is None for outcome in outcomes].count(True) == 1)
        return taken

    assert all(run(play()))
    assert [one.revision for one in run(first.read("s1"))] == list(range(1, 21))
