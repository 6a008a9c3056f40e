"""The example house: rooms and bookings in SQLite, with constraints of its own and its own count of create calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from marg_runtime.steps.whole_date import whole_date
from marg_scenarios.backend import CountingStore, Refusal, lone_surrogate

Part = Literal["morning", "afternoon", "evening"]

ROOMS_PER_PAGE = 3
PURPOSE_CHARACTERS = 80
SCHEMA_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Room:
    """A room: how many people it seats, and on which floor."""

    id: str
    name: str
    floor: int
    seats: int


@dataclass(frozen=True, kw_only=True)
class RoomPage:
    """Some of the rooms that were found, and whether there are more behind them."""

    rooms: tuple[Room, ...]
    more: bool


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A value that the house knows, and what a person reads for it."""

    value: str
    label: str


@dataclass(frozen=True, kw_only=True)
class NewBooking:
    """What is asked for; nothing in it is checked yet. `date` is YYYY-MM-DD."""

    date: str
    part: str
    people: int
    contact: str
    room: str
    seating: str
    equipment: tuple[str, ...] = ()
    purpose: str | None = None
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class Booking(NewBooking):
    """A booking as it stands in the house; `created_at` in milliseconds since 1970, UTC."""

    number: int
    created_at: int

    @property
    def id(self) -> str:
        """What people call it: `B-501` is the first."""
        return f"B-{self.number}"


class Rooms(CountingStore[NewBooking, Booking]):
    """The store of the example house."""

    what = "house"
    schema = Path(__file__).with_name("rooms.sql")
    version = SCHEMA_VERSION
    table = "bookings"

    def find(self, *, date: str, part: str, people: int, query: str = "", page: int = 1) -> RoomPage:
        """A page of the rooms that seat so many and are free then, by name; every word of the query stands in the
        name, in any case. Pages count from 1."""
        with self._lock:
            rows = self._rows.execute(
                "SELECT id, name, floor, seats FROM rooms WHERE seats >= :people AND id NOT IN"
                " (SELECT room FROM bookings WHERE date = :date AND part = :part) ORDER BY name",
                {"people": people, "date": date, "part": part},
            ).fetchall()
        words = query.casefold().split()
        found = [
            Room(id=id, name=name, floor=floor, seats=seats)
            for id, name, floor, seats in rows
            if all(word in name.casefold() for word in words)
        ]
        start = (max(page, 1) - 1) * ROOMS_PER_PAGE
        shown = found[start : start + ROOMS_PER_PAGE]
        return RoomPage(rooms=tuple(shown), more=len(found) > start + ROOMS_PER_PAGE)

    def room(self, id: str) -> Room | None:
        """The room of that id."""
        with self._lock:
            row = self._rows.execute("SELECT id, name, floor, seats FROM rooms WHERE id = ?", (id,)).fetchone()
        return Room(id=row[0], name=row[1], floor=row[2], seats=row[3]) if row else None

    def equipment(self, room: str) -> tuple[Choice, ...]:
        """What stands in a room, in the house's own order; nothing in one that is not there."""
        return self._choices("equipment", "room_equipment", "equipment", room)

    def seatings(self, room: str) -> tuple[Choice, ...]:
        """How a room can be seated."""
        return self._choices("seatings", "room_seatings", "seating", room)

    def booking(self, number: int) -> Booking | None:
        """The booking of that number."""
        found = self._bookings("number = :number", number=number)
        return found[0] if found else None

    def _choices(self, table: str, of_room: str, column: str, room: str) -> tuple[Choice, ...]:
        with self._lock:
            rows = self._rows.execute(
                f"SELECT value, label FROM {table} JOIN {of_room} ON {column} = value WHERE room = ? ORDER BY position",
                (room,),
            ).fetchall()
        return tuple(Choice(value=value, label=label) for value, label in rows)

    def _objection(self, new: NewBooking, key: str | None) -> Refusal | None:
        message = _text_fault(new, key) or self._room_fault(new)
        return None if message is None else Refusal(code="bad_arguments", message=f"Nothing was created: {message}")

    def _room_fault(self, new: NewBooking) -> str | None:
        room = self.room(new.room)
        if room is None:
            return f"there is no room {new.room!r}."
        if not 1 <= new.people <= room.seats:
            return f"{room.name} seats 1 to {room.seats} people, not {new.people}."
        seatings = [choice.value for choice in self.seatings(new.room)]
        if new.seating not in seatings:
            return f"{room.name} is seated as {', '.join(seatings)}, not {new.seating!r}."
        there = [choice.value for choice in self.equipment(new.room)]
        missing = [value for value in new.equipment if value not in there]
        return f"{room.name} has {', '.join(there)}, not {missing[0]!r}." if missing else None

    def _conflict(self, new: NewBooking) -> Refusal | None:
        if not self._bookings("room = :room AND date = :date AND part = :part", **_slot(new)):
            return None
        room = self.room(new.room)
        name = room.name if room else new.room
        return Refusal(
            code="conflict", message=f"Nothing was created: {name} is taken in the {new.part} of {new.date}."
        )

    def _content(self, record: NewBooking | Booking) -> dict[str, Any]:
        return {field.name: getattr(record, field.name) for field in fields(NewBooking)}

    def _by_key(self, key: str | None) -> Booking | None:
        found = () if key is None else self._bookings("idempotency_key = :key", key=key)
        return found[0] if found else None

    def _insert(self, new: NewBooking, *, key: str | None, call: int) -> Booking:
        (last,) = self._rows.execute("SELECT coalesce(max(number), 500) FROM bookings").fetchone()
        content, stamp = self._content(new), {"number": last + 1, "created_at": self._clock()}
        row = {**content, "equipment": json.dumps(new.equipment), **stamp, "idempotency_key": key, "create_call": call}
        places = ", ".join(f":{name}" for name in row)
        self._rows.execute(f"INSERT INTO bookings ({', '.join(row)}) VALUES ({places})", row)
        return Booking(**content, **stamp)

    def _name(self, record: Booking) -> str:
        return record.id

    def _bookings(self, where: str, **values: object) -> tuple[Booking, ...]:
        names = [field.name for field in fields(Booking)]
        with self._lock:
            rows = self._rows.execute(
                f"SELECT {', '.join(names)} FROM bookings WHERE {where} ORDER BY number", values
            ).fetchall()
        return tuple(_booking(dict(zip(names, row, strict=True))) for row in rows)


def _booking(row: dict[str, Any]) -> Booking:
    return Booking(**{**row, "equipment": tuple(json.loads(row["equipment"]))})


def _slot(new: NewBooking) -> dict[str, str]:
    return {"room": new.room, "date": new.date, "part": new.part}


def _texts(new: NewBooking, key: str | None) -> Sequence[str | None]:
    return (new.date, new.part, new.contact, new.room, new.seating, *new.equipment, new.purpose, new.note, key)


def _text_fault(new: NewBooking, key: str | None) -> str | None:
    if any(text is not None and lone_surrogate(text) for text in _texts(new, key)):
        return "a text holds half a character (a lone surrogate)."
    if whole_date(new.date) is None:
        return f"the date is one as YYYY-MM-DD, not {new.date!r}."
    if new.part not in get_args(Part):
        return f"the part is one of {', '.join(get_args(Part))}, not {new.part!r}."
    if "@" not in new.contact:
        return f"the contact is an e-mail address, not {new.contact!r}."
    if new.purpose is not None and len(new.purpose) > PURPOSE_CHARACTERS:
        return f"the purpose has at most {PURPOSE_CHARACTERS} characters; it has {len(new.purpose)}."
    return "the idempotency key is empty." if key == "" else None
