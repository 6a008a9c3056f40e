"""Connections to SQLite or PostgreSQL, and what their errors mean to somebody who runs Marg."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from marg_runtime.errors import StoreError, UsageError
from marg_runtime.scrub import scrub_url

BUSY_SECONDS = 10
"""How long SQLite waits for another process's transaction, and how long connecting to PostgreSQL may take."""

POSTGRES_THREADS = 6

FORMS = "sqlite:///FILE, sqlite:// (in memory), postgresql://USER:PASSWORD@HOST/DATABASE, or memory:"

# What to do, by the code of the error: SQLite's name, or PostgreSQL's five characters or their class.
_ADVICE = {
    "SQLITE_BUSY": f"another process kept it locked for {BUSY_SECONDS} seconds; see which one does",
    "SQLITE_READONLY": "make the file and its folder writable for this user",
    "SQLITE_FULL": "nothing was written; make room on the disk",
    "SQLITE_CANTOPEN": "make sure that the folder is there and writable for this user",
    "SQLITE_NOTADB": "name another file, this one is no SQLite database",
    "SQLITE_CORRUPT": "restore the file from a backup",
    "53100": "nothing was written; make room on the server's disk",
    "25006": "name the server that takes writes",
    "28": "look at the user and the password",
    "3D000": "create the database first",
    "42501": "grant the user the right to create and write tables",
}


@dataclass(frozen=True, kw_only=True)
class Connections:
    """The ways into one database.

    lasting: transactions that outlive a crash of the machine. passing: transactions that a crash of the machine may
    take back, those of it that a lasting one has followed excepted; a crash of a process takes none back. alone: the
    same for single statements, each its own transaction.
    threads: how many may be in it at once. where: the URL with no password in it.
    """

    lasting: Engine
    passing: Engine
    alone: Engine
    threads: int
    where: str

    def close(self) -> None:
        """Close every connection."""
        self.lasting.dispose()
        self.passing.dispose()
        self.alone.dispose()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Raise what the database raises as StoreError."""
        try:
            yield
        except SQLAlchemyError as error:
            raise store_error(error, where=self.where) from error


def connections(url: str) -> Connections:
    """The connections of a URL; none is made yet. Raises UsageError for a URL of another form."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError(f"{scrub_url(url)!r} is no URL of a store; give {FORMS}") from None
    match parsed.drivername:
        case "sqlite":
            return _sqlite(parsed)
        case "postgresql" | "postgres" | "postgresql+psycopg":
            return _postgres(parsed.set(drivername="postgresql+psycopg"))
        case other:
            raise UsageError(f"no store of the kind {other!r}; give {FORMS}")


def _sqlite(url: URL) -> Connections:
    in_memory = url.database in (None, "", ":memory:")
    options: dict[str, Any] = {"connect_args": {"timeout": BUSY_SECONDS, "check_same_thread": False}}
    if in_memory:
        options["poolclass"] = StaticPool
    lasting = passing = create_engine(url, **options)
    _listen(lasting, synchronous="FULL")
    if not in_memory:
        passing = create_engine(url, **options)
        _listen(passing, synchronous="NORMAL")
    # One thread: SQLite has one writer, and its own waiting is a sleep that would starve somebody.
    return Connections(
        lasting=lasting,
        passing=passing,
        alone=passing.execution_options(alone=True),
        threads=1,
        where=_shown(url),
    )


def _listen(engine: Engine, *, synchronous: str) -> None:
    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: object) -> None:
        # The driver begins nothing by itself: a transaction that will write takes its lock when it begins, for one
        # that has read first is refused the lock with no wait.
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute("PRAGMA foreign_keys = ON")
        # A deleted session is overwritten, and does not lie in the file until its place is wanted.
        connection.execute("PRAGMA secure_delete = ON").fetchall()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        if not connection.get_execution_options().get("alone"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")


def _postgres(url: URL) -> Connections:
    options: dict[str, Any] = {
        "pool_size": POSTGRES_THREADS + 1,  # and the thread that renews leases
        "max_overflow": 0,
        "pool_use_lifo": True,
        "connect_args": {"connect_timeout": BUSY_SECONDS},
    }
    lasting, passing = create_engine(url, **options), create_engine(url, **options)
    # A pool of its own: to switch a connection back and forth costs more than a statement.
    alone = create_engine(url, isolation_level="AUTOCOMMIT", **options)
    for engine in (passing, alone):
        event.listen(engine, "connect", _do_not_wait_for_the_disk)
    return Connections(
        lasting=lasting,
        passing=passing,
        alone=alone,
        threads=POSTGRES_THREADS,
        where=_shown(url),
    )


def _shown(url: URL) -> str:
    """The URL without a password, which may stand in its query, too."""
    return scrub_url(url.render_as_string())


def _do_not_wait_for_the_disk(connection: Any, record: object) -> None:
    connection.execute("SET synchronous_commit = off")
    if not connection.autocommit:
        connection.commit()


def store_error(error: SQLAlchemyError, *, where: str) -> StoreError:
    """What broke, at which store, and what to do about it."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    said = next(iter(str(cause).strip().splitlines()), type(cause).__name__)
    advice = _advice(cause)
    return StoreError(f"the store {where!r} failed: {said}" + (f"; {advice}" if advice else ""))


def _advice(cause: BaseException) -> str | None:
    code = str(getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or "")
    if code.startswith("SQLITE_"):
        code = "_".join(
            code.split("_")[:2]
        )  # SQLITE_READONLY_DBMOVED and its like say no more than the first two words
    if not code and type(cause).__name__ == "OperationalError":
        return "make sure that the server runs and that the URL names its host, port, user and database"
    return _ADVICE.get(code) or _ADVICE.get(code[:2])
