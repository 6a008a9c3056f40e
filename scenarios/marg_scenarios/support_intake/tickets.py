"""The example desk: tickets in SQLite, with constraints of its own and its own count of what it was asked to create.

The count is taken at the desk and nowhere else, so it holds whatever a runtime says about its writes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from marg_runtime.errors import UsageError
from marg_scenarios.backend import CountingStore, Refusal, lone_surrogate

Kind = Literal["priorities", "categories", "visibilities"]

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


class Desk(CountingStore[NewTicket, Ticket]):
    """The store of the example desk. `path` is a file, or `:memory:`; `clock` gives milliseconds since 1970, UTC.

    Raises `UsageError` for a file that is no desk. Close it when done; safe to use from several threads, and a file
    from several processes.
    """

    what = "desk"
    schema = Path(__file__).with_name("tickets.sql")
    version = SCHEMA_VERSION
    table = "tickets"

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

    def _conflict(self, new: NewTicket) -> Refusal | None:
        # Two people may well report the same thing.
        return None

    def _content(self, record: NewTicket | Ticket) -> dict[str, Any]:
        return _content(record)

    def _name(self, record: Ticket) -> str:
        return record.id

    def _insert(self, new: NewTicket, *, key: str | None, call: int) -> Ticket:
        (last,) = self._rows.execute("SELECT coalesce(max(number), 1000) FROM tickets").fetchone()
        stamp = {"number": last + 1, "created_at": self._clock()}
        row = {**_content(new), **stamp, "idempotency_key": key, "create_call": call}
        places = ", ".join(f":{name}" for name in row)
        self._rows.execute(f"INSERT INTO tickets ({', '.join(row)}) VALUES ({places})", row)
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


def _content(new: NewTicket) -> dict[str, Any]:
    return {field.name: getattr(new, field.name) for field in fields(NewTicket)}


def _holds(text: str, words: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


def _text_fault(new: NewTicket, key: str | None) -> str | None:
    given = {**_content(new), "idempotency key": key}
    for name, text in given.items():
        if text is not None and lone_surrogate(text):
            return f"the {name.replace('_', ' ')} holds half a character (a lone surrogate)."
    if not new.title.strip() or len(new.title) > TITLE_CHARACTERS:
        return f"the title needs 1 to {TITLE_CHARACTERS} characters that are not all blank; it has {len(new.title)}."
    if not new.details.strip():
        return "the details are empty."
    return "the idempotency key is empty." if key == "" else None
