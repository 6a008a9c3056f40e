"""A store of records in SQLite that counts, by itself, what it was asked to create and what it wrote.

The count is taken here and nowhere else, so it holds whatever a runtime says about its writes.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from marg_runtime.errors import UsageError
from marg_scenarios.backend.refusal import Refusal

New = TypeVar("New")
Record = TypeVar("Record")


@dataclass(frozen=True, kw_only=True)
class BackendCounts:
    """A store's own count: create calls received, those refused, and records written. A call that repeats an
    idempotency key is a call, yet neither of the other two."""

    create_calls: int
    refused: int
    writes: int


class CountingStore(ABC, Generic[New, Record]):
    """A store. `path` is a file, or `:memory:`; `clock` gives milliseconds since 1970, UTC.

    what: what it is called in messages. schema: its tables, among them `create_calls`, and its first records; it sets
    `user_version` to `version`. table: the one whose rows have the `create_call` that wrote them.
    Raises `UsageError` for a file that is no such store. Close it when done; safe to use from several threads, and a
    file from several processes.
    """

    what: ClassVar[str]
    schema: ClassVar[Path]
    version: ClassVar[int]
    table: ClassVar[str]

    def __init__(self, path: str | Path = ":memory:", *, clock: Callable[[], int] | None = None) -> None:
        self._clock = clock or _now
        self._lock = threading.RLock()
        self._rows = self._opened(path)

    @abstractmethod
    def _content(self, record: New | Record) -> dict[str, Any]:
        """What two calls with one key must have in common."""

    @abstractmethod
    def _objection(self, new: New, key: str | None) -> Refusal | None:
        """What is wrong with what is asked for, whatever else is in the store."""

    @abstractmethod
    def _conflict(self, new: New) -> Refusal | None:
        """What in the store stands against it; asked in the transaction that would write it."""

    @abstractmethod
    def _by_key(self, key: str | None) -> Record | None:
        """The record that was written with a key."""

    @abstractmethod
    def _insert(self, new: New, *, key: str | None, call: int) -> Record:
        """Write a record, in the transaction."""

    @abstractmethod
    def _name(self, record: Record) -> str:
        """What people call a record."""

    def close(self) -> None:
        """Close the database; one in memory is gone."""
        self._rows.close()

    def taken(self, sent: Mapping[str, object]) -> Mapping[str, object]:
        """What the store takes the arguments of a create call for: as they were sent."""
        return sent

    def create(self, new: New, *, idempotency_key: str | None = None) -> Record | Refusal:
        """Write a record; the same key again gives the first one and writes nothing."""
        with self._lock:
            call = self._receive()
            refusal = self._objection(new, idempotency_key)
            if refusal is not None:
                return self._refused(call, refusal)
            with self._transaction():
                earlier = self._by_key(idempotency_key)
                conflict = self._conflict(new) if earlier is None else None
                if earlier is None and conflict is None:
                    written = self._insert(new, key=idempotency_key, call=call)
                    self._settle(call, "written", None)
                    return written
            if conflict is not None:
                return self._refused(call, conflict)
            assert earlier is not None, "nothing stands against what was not written before"
            if self._content(earlier) != self._content(new):
                return self._refused(call, self._key_reused(earlier))
            self._settle(call, "repeated", None)
            return earlier

    def by_key(self, idempotency_key: str) -> Record | None:
        """The record that a create call with this key wrote. It counts as no create call."""
        return self._by_key(idempotency_key)

    def refuse(self, refusal: Refusal) -> Refusal:
        """Count a create call that was turned down at the door."""
        with self._lock:
            return self._refused(self._receive(), refusal)

    def counts(self) -> BackendCounts:
        """The store's own count, of all processes that used this database."""
        with self._lock:
            row = self._rows.execute(
                "SELECT (SELECT count(*) FROM create_calls),"
                " (SELECT count(*) FROM create_calls WHERE outcome = 'refused'),"
                f" (SELECT count(*) FROM {self.table} WHERE create_call IS NOT NULL)"
            ).fetchone()
        return BackendCounts(create_calls=row[0], refused=row[1], writes=row[2])

    def _key_reused(self, earlier: Record) -> Refusal:
        return Refusal(
            code="key_reused",
            message="Nothing was created: the idempotency key belongs to "
            f"{self._name(earlier)}, whose content differs.",
        )

    def _receive(self) -> int:
        # Committed before anything is looked at: a call counts even where the store breaks on it.
        number = self._rows.execute("INSERT INTO create_calls DEFAULT VALUES").lastrowid
        if number is None:
            raise sqlite3.DatabaseError("the call got no number")
        return number

    def _refused(self, call: int, refusal: Refusal) -> Refusal:
        self._settle(call, "refused", refusal.code)
        return refusal

    def _settle(self, call: int, outcome: str, reason: str | None) -> None:
        self._rows.execute("UPDATE create_calls SET outcome = ?, reason = ? WHERE number = ?", (outcome, reason, call))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._rows.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._rows.execute("ROLLBACK")
            raise
        self._rows.execute("COMMIT")

    def _opened(self, path: str | Path) -> sqlite3.Connection:
        """A connection to a store at that path, made where there is nothing yet."""
        try:
            rows = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise UsageError(f"cannot open the {self.what} at {str(path)!r}: {error}") from error
        try:
            rows.execute("PRAGMA foreign_keys = ON")
            self._furnish(rows)
        except (sqlite3.Error, UsageError) as error:
            rows.close()
            raise UsageError(f"{str(path)!r} is no {self.what}: {error}; name a new file") from error
        return rows

    def _furnish(self, rows: sqlite3.Connection) -> None:
        # One statement, one snapshot: another process may be making the same store right now.
        version, tables = rows.execute(
            "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)"
        ).fetchone()
        if version == 0 and tables == 0:
            rows.executescript(self.schema.read_text(encoding="utf-8"))
        elif version != self.version:
            raise UsageError(f"it holds something else (user_version {version!r}, a {self.what} has {self.version!r})")


def lone_surrogate(text: str) -> bool:
    """Whether a text holds half a character, which no database keeps."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def _now() -> int:
    return time.time_ns() // 1_000_000
