"""The example desk: tickets in SQLite, with constraints of its own and its own count of what it was asked to create.

The count is taken at the desk and nowhere else, so it holds whatever a runtime says about its writes.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from marg_runtime.errors import UsageError

Kind = Literal["priorities", "categories", "visibilities"]
RefusalCode = Literal["not_confirmed", "writes_off", "bad_arguments", "key_reused"]

TITLE_CHARACTERS = 120
SEARCH_LIMIT = 10
SCHEMA_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Option:
    """A value that the desk knows, and what a person reads for it."""

    value: str
    label: str


@dataclass(frozen=True, kw_only=True)
class NewTicket:
    """What is asked for; nothing in it is checked yet."""

    title: str
    details: str
    priority: str
    category: str
    visibility: str
    attachment_note: str | None = None


@dataclass(frozen=True, kw_only=True)
class Ticket(NewTicket):
    """A ticket as it stands in the desk; `created_at` in milliseconds since 1970, UTC."""

    number: int
    created_at: int

    @property
    def id(self) -> str:
        """What people call it: `T-1001` is the first."""
        return f"T-{self.number}"


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why a create call was turned down: a word for programs, a sentence for people."""

    code: RefusalCode
    message: str


@dataclass(frozen=True, kw_only=True)
class BackendCounts:
    """The desk's own count: create calls received, those refused, and tickets written. A call that repeats an
    idempotency key is a call, yet neither of the other two."""

    create_calls: int
    refused: int
    writes: int


class Desk:
    """The store of the example desk. `path` is a file, or `:memory:`; `clock` gives milliseconds since 1970, UTC.

    Raises `UsageError` for a file that is no desk. Close it when done; safe to use from several threads, and a file
    from several processes.
    """

    def __init__(self, path: str | Path = ":memory:", *, clock: Callable[[], int] | None = None) -> None:
        self._clock = clock or _now
        self._lock = threading.RLock()
        self._rows = _opened(path)

    def close(self) -> None:
        """Close the database; one in memory is gone."""
        self._rows.close()

    def options(self, kind: Kind) -> tuple[Option, ...]:
        """The values of one kind, in the desk's own order. Raises `UsageError` for another kind."""
        if kind not in get_args(Kind):
            raise UsageError(f"no reference data {kind!r}; there are {', '.join(get_args(Kind))}")
        with self._lock:
            rows = self._rows.execute(f"SELECT value, label FROM {kind} ORDER BY position").fetchall()
        return tuple(Option(value=value, label=label) for value, label in rows)

    def ticket(self, number: int) -> Ticket | None:
        """The ticket of that number, private or not."""
        found = self._tickets("number = :number", number=number)
        return found[0] if found else None

    def search(self, query: str, *, category: str | None = None, priority: str | None = None) -> tuple[Ticket, ...]:
        """The first ten public tickets, oldest first, whose title and details hold every word of the query, in any
        case and any order; a query with no word matches all."""
        words = query.casefold().split()
        found = self._tickets(
            "visibility = 'public' AND (category = :category OR :category IS NULL)"
            " AND (priority = :priority OR :priority IS NULL)",
            category=category,
            priority=priority,
        )
        hits = [one for one in found if _holds(f"{one.title}\n{one.details}", words)]
        return tuple(hits[:SEARCH_LIMIT])

    def taken(self, sent: Mapping[str, object]) -> Mapping[str, object]:
        """What the desk takes the arguments of a create call for: as they were sent."""
        return sent

    def create(self, new: NewTicket, *, idempotency_key: str | None = None) -> Ticket | Refusal:
        """Write a ticket; the same key again gives the first one and writes nothing."""
        with self._lock:
            call = self._receive()
            refusal = self._objection(new, idempotency_key)
            if refusal is not None:
                return self._refused(call, refusal)
            with self._transaction():
                earlier = self._by_key(idempotency_key)
                if earlier is None:
                    return self._written(call, new, idempotency_key)
            if _content(earlier) != _content(new):
                return self._refused(call, _key_reused(earlier))
            self._settle(call, "repeated", None)
            return earlier

    def by_key(self, idempotency_key: str) -> Ticket | None:
        """The ticket that a create call with this key wrote, private or not. It counts as no create call."""
        return self._by_key(idempotency_key)

    def refuse(self, refusal: Refusal) -> Refusal:
        """Count a create call that was turned down at the door."""
        with self._lock:
            return self._refused(self._receive(), refusal)

    def counts(self) -> BackendCounts:
        """The desk's own count, of all processes that used this database."""
        with self._lock:
            row = self._rows.execute(
                "SELECT (SELECT count(*) FROM create_calls),"
                " (SELECT count(*) FROM create_calls WHERE outcome = 'refused'),"
                " (SELECT count(*) FROM tickets WHERE create_call IS NOT NULL)"
            ).fetchone()
        return BackendCounts(create_calls=row[0], refused=row[1], writes=row[2])

    def _objection(self, new: NewTicket, key: str | None) -> Refusal | None:
        message = _text_fault(new, key) or self._option_fault(new)
        return None if message is None else Refusal(code="bad_arguments", message=f"Nothing was created: {message}")

    def _option_fault(self, new: NewTicket) -> str | None:
        given: tuple[tuple[str, str, Kind], ...] = (
            ("priority", new.priority, "priorities"),
            ("category", new.category, "categories"),
            ("visibility", new.visibility, "visibilities"),
        )
        for name, value, kind in given:
            known = [option.value for option in self.options(kind)]
            if value not in known:
                return f"the {name} is one of {', '.join(known)}, not {value!r}."
        return None

    def _written(self, call: int, new: NewTicket, key: str | None) -> Ticket:
        (last,) = self._rows.execute("SELECT coalesce(max(number), 1000) FROM tickets").fetchone()
        stamp = {"number": last + 1, "created_at": self._clock()}
        row = {**_content(new), **stamp, "idempotency_key": key, "create_call": call}
        places = ", ".join(f":{name}" for name in row)
        self._rows.execute(f"INSERT INTO tickets ({', '.join(row)}) VALUES ({places})", row)
        self._settle(call, "written", None)
        return Ticket(**_content(new), **stamp)

    def _by_key(self, key: str | None) -> Ticket | None:
        found = () if key is None else self._tickets("idempotency_key = :key", key=key)
        return found[0] if found else None

    def _tickets(self, where: str, **values: object) -> tuple[Ticket, ...]:
        names = [field.name for field in fields(Ticket)]
        with self._lock:
            rows = self._rows.execute(
                f"SELECT {', '.join(names)} FROM tickets WHERE {where} ORDER BY number", values
            ).fetchall()
        return tuple(Ticket(**dict(zip(names, row, strict=True))) for row in rows)

    def _receive(self) -> int:
        # Committed before anything is looked at: a call counts even where the desk breaks on it.
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


def _opened(path: str | Path) -> sqlite3.Connection:
    """A connection to a desk at that path, made where there is nothing yet."""
    try:
        rows = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise UsageError(f"cannot open the desk at {str(path)!r}: {error}") from error
    try:
        rows.execute("PRAGMA foreign_keys = ON")
        _furnish(rows)
    except (sqlite3.Error, UsageError) as error:
        rows.close()
        raise UsageError(f"{str(path)!r} is no desk: {error}; name a new file") from error
    return rows


def _furnish(rows: sqlite3.Connection) -> None:
    # One statement, one snapshot: another process may be making the same desk right now.
    version, tables = rows.execute(
        "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)"
    ).fetchone()
    if version == 0 and tables == 0:
        rows.executescript(Path(__file__).with_name("tickets.sql").read_text(encoding="utf-8"))
    elif version != SCHEMA_VERSION:
        raise UsageError(f"it holds something else (user_version {version!r}, a desk has {SCHEMA_VERSION!r})")


def _now() -> int:
    return time.time_ns() // 1_000_000


def _content(new: NewTicket) -> dict[str, Any]:
    return {field.name: getattr(new, field.name) for field in fields(NewTicket)}


def _holds(text: str, words: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


def _text_fault(new: NewTicket, key: str | None) -> str | None:
    given = {**_content(new), "idempotency key": key}
    for name, text in given.items():
        if text is not None and _lone_surrogate(text):
            return f"the {name.replace('_', ' ')} holds half a character (a lone surrogate)."
    if not new.title.strip() or len(new.title) > TITLE_CHARACTERS:
        return f"the title needs 1 to {TITLE_CHARACTERS} characters that are not all blank; it has {len(new.title)}."
    if not new.details.strip():
        return "the details are empty."
    return "the idempotency key is empty." if key == "" else None


def _lone_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _key_reused(earlier: Ticket) -> Refusal:
    return Refusal(
        code="key_reused",
        message=f"Nothing was created: the idempotency key belongs to {earlier.id}, whose content differs.",
    )
