"""The store in SQL: leases across processes, errors that say what to do, and the model that it is held to."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest

pytest.importorskip("psycopg")
pytest.importorskip("sqlalchemy")

import psycopg
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import select, text

from marg_runtime.errors import RevisionConflict, StoreError, UsageError
from marg_runtime.events import EVENTS
from marg_runtime.events.turn import LineSaid
from marg_runtime.ledger import Entry
from marg_runtime.store import MemoryStore, Snapshot, Store, connections
from marg_runtime.store import sql as sql_module
from marg_runtime.store.sql import SqlStore
from marg_runtime.store.tables import LEASES

_T = TypeVar("_T")
SHORT = 0.2
"""Seconds of a lease in a test that waits for its end."""


def entry(revision: int, *, at: int = 0) -> Entry:
    return Entry(revision=revision, turn=0, at=at, event=LineSaid(text=f"line {revision}"))


class Run(Protocol):
    """Runs what a test does with its store, on one loop."""

    def __call__(self, coro: Coroutine[Any, Any, _T], /) -> _T: ...


@pytest.fixture
def run() -> Iterator[Run]:
    with asyncio.Runner() as runner:
        yield runner.run


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


# Leases across processes


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


# What breaks


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("mysql://host/base", "no store of the kind 'mysql'"),
        ("sqlite+aiosqlite:///x", "no store of the kind 'sqlite\\+aiosqlite'"),
        ("somewhere", "'somewhere' is no URL of a store"),
        ("", "'' is no URL of a store"),
    ],
)
def test_a_url_of_another_kind_is_refused_with_those_that_there_are(run: Run, bad: str, said: str) -> None:
    with pytest.raises(UsageError, match=f"{said}; give sqlite:///FILE"):
        run(SqlStore.open(bad))


def broken(run: Run, url: str) -> str:
    """What is said of a database that cannot be opened."""
    with pytest.raises(StoreError) as caught:
        run(SqlStore.open(url))
    return str(caught.value)


def test_a_folder_that_is_not_there_is_said(run: Run, tmp_path: Path) -> None:
    said = broken(run, f"sqlite:///{tmp_path}/nowhere/store.db")
    assert "unable to open database file; make sure that the folder is there and writable" in said


def test_a_file_that_is_no_database_is_said_and_left_as_it_is(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, " * 100)
    assert "name another file, this one is no SQLite database" in broken(run, f"sqlite:///{path}")
    assert path.read_text() == "these are my notes, " * 100


def test_a_server_that_does_not_answer_is_said_without_the_password(run: Run) -> None:
    said = broken(run, "postgresql://marg:secret@127.0.0.1:1/postgres")
    assert "make sure that the server runs" in said
    assert "secret" not in said


def test_a_database_that_is_not_there_is_said(run: Run, postgres_server: str) -> None:
    said = broken(run, postgres_server.rsplit("/", 1)[0] + "/nowhere")
    assert '"nowhere" does not exist' in said


def file_store(run: Run, tmp_path: Path) -> SqlStore:
    """A store in a file, with one entry."""
    store = run(SqlStore.open(f"sqlite:///{tmp_path / 'store.db'}"))
    run(store.append("s1", [entry(1)]))
    return store


def statement(store: SqlStore, words: str) -> None:
    """Run a statement on the connections of a store."""
    for engine in (store._connections.lasting, store._connections.alone):
        with engine.execution_options(alone=True).connect() as connection:
            connection.execute(text(words)).close()


def test_a_full_disk_is_said_and_nothing_is_half_written(run: Run, tmp_path: Path) -> None:
    store = file_store(run, tmp_path)
    statement(store, "PRAGMA max_page_count = 20")
    many = [Entry(revision=number, turn=0, at=0, event=LineSaid(text="x" * 2000)) for number in range(2, 40)]
    with pytest.raises(StoreError, match="database or disk is full; nothing was written; make room on the disk"):
        run(store.append("s1", many))
    assert run(store.read("s1")) == (entry(1),)
    run(store.append("s1", [entry(2)]))
    run(store.close())


def test_a_store_that_may_not_be_written_is_said_and_can_be_read(run: Run, tmp_path: Path) -> None:
    store = file_store(run, tmp_path)
    statement(store, "PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="readonly database; make the file and its folder writable"):
        run(store.append("s1", [entry(2)]))
    assert run(store.read("s1")) == (entry(1),)
    run(store.close())


def test_a_file_that_another_process_keeps_locked_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.05)
    store = file_store(run, tmp_path)
    with closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="database is locked; another process kept it locked"):
            run(store.append("s1", [entry(2)]))
        other.execute("ROLLBACK")
    run(store.append("s1", [entry(2)]))
    assert len(run(store.read("s1"))) == 2
    run(store.close())


def test_the_store_comes_back_when_the_server_has_cut_its_connections(
    run: Run, postgres_url: str, postgres_server: str
) -> None:
    store = run(SqlStore.open(postgres_url))
    run(store.append("s1", [entry(1)]))
    own = text("SELECT pg_backend_pid()")
    with store._connections.passing.connect() as one, store._connections.alone.connect() as other:
        held = [one.execute(own).scalar_one(), other.execute(own).scalar_one()]
    with psycopg.connect(postgres_server, autocommit=True) as server:
        for pid in held:
            server.execute("SELECT pg_terminate_backend(%s)", (pid,))
    assert [one.revision for one in run(store.read("s1"))] == [1]
    with pytest.raises(StoreError, match="terminating connection"):
        run(store.append("s1", [entry(2)]))
    run(store.append("s1", [entry(2)]))
    assert [one.revision for one in run(store.read("s1"))] == [1, 2]
    run(store.close())


def test_what_was_deleted_lies_in_no_file_any_more(run: Run, tmp_path: Path) -> None:
    store = run(SqlStore.open(f"sqlite:///{tmp_path / 'store.db'}"))
    secrets = [Entry(revision=n, turn=0, at=1, event=LineSaid(text=f"my card is 4711 {n}" * 50)) for n in range(1, 40)]
    for session in ("s1", "s2"):
        run(store.append(session, secrets))
    run(store.keep("s1", Snapshot(revision=1, digest="d", body="my card is 4711")))
    run(store.delete("s1"))
    assert run(store.delete_older_than(2)) == ("s2",)
    assert [path.name for path in tmp_path.iterdir() if b"4711" in path.read_bytes()] == []
    run(store.close())


def test_a_lease_that_cannot_be_given_up_undoes_nothing(run: Run, tmp_path: Path) -> None:
    store = file_store(run, tmp_path)

    async def play() -> str:
        async with store.lease("s1"):
            statement(store, "PRAGMA query_only = ON")
            return "done"

    assert run(play()) == "done"
    run(store.close())


def test_what_an_event_loop_does_meanwhile_is_not_held_up(run: Run, tmp_path: Path) -> None:
    store = file_store(run, tmp_path)

    async def play() -> int:
        with closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiting, turns = asyncio.create_task(store.append("s1", [entry(2)])), 0
            while turns < 50:
                await asyncio.sleep(0)
                turns += 1
            assert not waiting.done()
            other.execute("ROLLBACK")
        await waiting
        return turns

    assert run(play()) == 50
    run(store.close())


def test_what_has_left_the_process_is_waited_for_on_the_disk() -> None:
    names = {kind.__name__ for kind in sql_module._LASTING}
    of_writes = {name for name in EVENTS if name.startswith("Write")}
    assert names == {"AnswerDelivered"} | of_writes


# The model: whatever is done to a store in SQL, it holds what the one in memory holds


IDS = st.sampled_from(["s1", "s2", "s3"])


class Stores(RuleBasedStateMachine):
    """The same calls on a store in memory and on one in a database, which is closed and opened again at times."""

    def __init__(self, run: Run, url: str) -> None:
        super().__init__()
        self._run, self._url = run, url
        self.model = MemoryStore()
        self.store = run(SqlStore.open(url))
        for one in run(self.store.sessions()):
            run(self.store.delete(one.session))

    def same(self, call: Callable[[Store], Coroutine[Any, Any, Any]]) -> None:
        """Both give the same, or refuse with the same words."""
        outcomes = []
        for store in (self.model, self.store):
            try:
                outcomes.append(self._run(call(store)))
            except (RevisionConflict, UsageError) as error:
                outcomes.append((type(error), str(error)))
        assert outcomes[0] == outcomes[1]

    @rule(session=IDS, ahead=st.sampled_from([0, 0, 0, 0, 1, -1]), count=st.integers(0, 3), at=st.integers(0, 9))
    def append(self, session: str, ahead: int, count: int, at: int) -> None:
        standing = len(self._run(self.model.read(session)))
        entries = [entry(standing + 1 + ahead + number, at=at) for number in range(count)]
        self.same(lambda store: store.append(session, entries))

    @rule(session=IDS, gap=st.integers(2, 3))
    def append_with_a_gap(self, session: str, gap: int) -> None:
        standing = len(self._run(self.model.read(session)))
        self.same(lambda store: store.append(session, [entry(standing + 1), entry(standing + 1 + gap)]))

    @rule(session=IDS, after=st.integers(-1, 12))
    def read(self, session: str, after: int) -> None:
        self.same(lambda store: store.read(session, after=max(after, 0)))

    @rule(session=IDS, revision=st.integers(1, 8), body=st.text(max_size=3))
    def keep(self, session: str, revision: int, body: str) -> None:
        snapshot = Snapshot(revision=revision, digest="d", body=body.replace("\0", ""))
        self.same(lambda store: store.keep(session, snapshot))

    @rule(session=IDS)
    def delete(self, session: str) -> None:
        self.same(lambda store: store.delete(session))

    @rule(at=st.integers(0, 10))
    def prune(self, at: int) -> None:
        self.same(lambda store: store.delete_older_than(at))

    @rule()
    def reopen(self) -> None:
        if self._url != "sqlite://":
            self._run(self.store.close())
            self.store = self._run(SqlStore.open(self._url))

    @invariant()
    def all_is_the_same(self) -> None:
        self.same(lambda store: store.sessions())
        for session in ("s1", "s2", "s3"):
            self.same(lambda store, session=session: store.read(session))  # type: ignore[misc]
            self.same(lambda store, session=session: store.snapshot(session))  # type: ignore[misc]

    def teardown(self) -> None:
        self._run(self.store.close())


@pytest.mark.parametrize("kind", ["sqlite in memory", "sqlite", "postgresql"])
def test_C2_a_store_in_sql_holds_what_the_one_in_memory_holds(
    kind: str, request: pytest.FixtureRequest, run: Run, database_folder: Path
) -> None:
    url = "sqlite://" if kind == "sqlite in memory" else f"sqlite:///{database_folder / 'store.db'}"
    if kind == "postgresql":
        url = request.getfixturevalue("postgres_url")

    class Here(Stores):
        def __init__(self) -> None:
            super().__init__(run, url)

    how = settings(max_examples=10, stateful_step_count=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    run_state_machine_as_test(Here, settings=how)
