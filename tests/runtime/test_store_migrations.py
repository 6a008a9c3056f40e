"""The schema's versions: forward only, an old database is brought on, a later one is refused and left alone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
from tests.runtime.store_runs import Run

pytest.importorskip("sqlalchemy")

from sqlalchemy import Engine, inspect, text

from marg_runtime.errors import StoreError
from marg_runtime.fold import fold
from marg_runtime.store import Snapshot
from marg_runtime.store.connections import connections
from marg_runtime.store.migrations import MIGRATIONS, SCHEMA_VERSION, migrate
from marg_runtime.store.sql import SqlStore
from marg_runtime.store.tables import METADATA

if TYPE_CHECKING:
    from tests.runtime.conftest import MakeDesk

_T = TypeVar("_T")
FIXTURES = sorted((Path(__file__).parent / "data").glob("store_v*.sql"))


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, database_folder: Path) -> str:
    """An empty database."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{database_folder / 'store.db'}"


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """A way into the database that knows nothing of versions."""
    opened = connections(url)
    yield opened.lasting
    opened.close()


def load(engine: Engine, fixture: Path) -> None:
    """Run the statements of a fixture."""
    with engine.begin() as connection:
        for statement in fixture.read_text(encoding="utf-8").split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)


def version(engine: Engine) -> int:
    """The version that a database says it has."""
    with engine.begin() as connection:
        return int(connection.execute(text("SELECT MAX(version) FROM marg_schema")).scalar_one())


def test_there_is_a_fixture_of_every_version_but_the_present_one() -> None:
    assert [path.stem for path in FIXTURES] == [f"store_v{number}" for number in range(1, SCHEMA_VERSION)]


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
def test_an_old_database_is_brought_to_the_present_version(engine: Engine, run: Run, url: str, fixture: Path) -> None:
    load(engine, fixture)
    run(run(SqlStore.open(url)).close())
    assert version(engine) == SCHEMA_VERSION


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
def test_a_session_of_an_old_database_goes_on(
    engine: Engine, url: str, fixture: Path, make_desk: MakeDesk, writes_on: None
) -> None:
    load(engine, fixture)
    with asyncio.Runner() as runner:
        store = runner.run(SqlStore.open(url))
        runner.run(store.keep("s1", Snapshot(revision=1, digest="d", body="b")))
        assert runner.run(store.snapshot("s1")) is not None
        runner.run(store.close())
    desk = make_desk()
    desk.store = desk.run(SqlStore.open(url))
    desk.reopen()
    assert desk.reload().block is not None
    assert (desk.values, desk.state) == ({"title": "Lamp broken"}, fold(desk.ledger()))
    desk.run(desk.store.close())


def test_a_database_of_a_later_release_is_refused_and_left_as_it_is(engine: Engine, run: Run, url: str) -> None:
    run(run(SqlStore.open(url)).close())
    with engine.begin() as connection:
        connection.execute(text(f"INSERT INTO marg_schema (version) VALUES ({SCHEMA_VERSION + 1})"))
    with pytest.raises(StoreError, match=f"schema has version {SCHEMA_VERSION + 1}, and this release knows up to"):
        run(SqlStore.open(url))
    assert version(engine) == SCHEMA_VERSION + 1


def test_a_migration_that_breaks_leaves_the_version_before_it(
    engine: Engine, run: Run, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(run(SqlStore.open(url)).close())
    broken = (*MIGRATIONS, ("CREATE TABLE marg_more (number INTEGER)", "THIS IS NO SQL"))
    monkeypatch.setattr("marg_runtime.store.migrations.MIGRATIONS", broken)
    monkeypatch.setattr("marg_runtime.store.migrations.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    with pytest.raises(StoreError):
        run(SqlStore.open(url))
    monkeypatch.undo()
    assert version(engine) == SCHEMA_VERSION
    assert "marg_more" not in inspect(engine).get_table_names()


def test_opening_again_changes_nothing(engine: Engine, run: Run, url: str) -> None:
    for _ in range(3):
        run(run(SqlStore.open(url)).close())
    with engine.begin() as connection:
        versions = connection.execute(text("SELECT version FROM marg_schema ORDER BY version")).scalars().all()
    assert list(versions) == list(range(1, SCHEMA_VERSION + 1))


def test_processes_that_open_a_new_database_at_once_all_can(url: str, run: Run) -> None:
    async def play() -> list[SqlStore]:
        return await asyncio.gather(*(SqlStore.open(url) for _ in range(6)))

    opened = run(play())
    for store in opened:
        run(store.close())
    assert len(opened) == 6


def test_the_migrations_make_the_tables_that_the_statements_are_written_for(engine: Engine) -> None:
    with engine.begin() as connection:
        migrate(connection)
    found = inspect(engine)
    made = {
        (table, column["name"])
        for table in found.get_table_names()
        if table != "marg_schema"
        for column in found.get_columns(table)
    }
    assert made == {(table.name, column.name) for table in METADATA.sorted_tables for column in table.columns}
    keys = {table.name: [column.name for column in table.primary_key] for table in METADATA.sorted_tables}
    assert {table: found.get_pk_constraint(table)["constrained_columns"] for table in keys} == keys


def test_a_database_in_a_file_is_in_write_ahead_mode(run: Run, tmp_path: Path) -> None:
    run(run(SqlStore.open(f"sqlite:///{tmp_path / 'store.db'}")).close())
    with closing(sqlite3.connect(tmp_path / "store.db")) as rows:
        assert rows.execute("PRAGMA journal_mode").fetchone() == ("wal",)
