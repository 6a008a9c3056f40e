"""The store in SQL: errors that say what to do, and the model that it is held to."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.runtime.store_runs import Run, entry

pytest.importorskip("psycopg")
pytest.importorskip("sqlalchemy")

import psycopg
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import text

from marg_runtime.errors import RevisionConflict, StoreError, UsageError
from marg_runtime.events import EVENTS
from marg_runtime.events.turn import LineSaid
from marg_runtime.ledger import Entry
from marg_runtime.store import MemoryStore, Snapshot, Store, connections
from marg_runtime.store import sql as sql_module
from marg_runtime.store.sql import SqlStore

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
