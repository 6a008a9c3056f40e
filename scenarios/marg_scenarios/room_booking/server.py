"""The example house as an MCP server: in memory (`build_server`) or over stdio.

    python -m marg_scenarios.room_booking.server [--dev] [--database PATH]

`book_room` stands behind the door of the gate's second layer; `marg_scenarios.backend` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from marg_scenarios.backend import Shapes, WriteServer, counting_server, serve

from .rooms import PURPOSE_CHARACTERS, Booking, NewBooking, Part, Rooms

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.tools import Tool

NAME = "room-house"
VERSION = "1.0"
CREATE = "book_room"

_SHAPES = Shapes()


class RoomRow(BaseModel):
    """A room in a list."""

    id: str
    name: str
    floor: int
    seats: int


class FoundRooms(BaseModel):
    """A page of rooms, and whether there are more behind it."""

    rooms: list[RoomRow]
    more: bool


class ChoiceRow(BaseModel):
    """A value and what a person reads for it."""

    value: str
    label: str


class RoomDetails(BaseModel):
    """What a room offers."""

    room: str
    seatings: list[ChoiceRow]
    equipment: list[ChoiceRow]


class Receipt(BaseModel):
    """The booking that a create call gave; `created_at` in ISO 8601, UTC."""

    id: str
    date: str
    part: str
    people: int
    room: str
    created_at: str


class FoundByKey(BaseModel):
    """What became of a create call: the booking that it wrote, or nothing."""

    found: bool
    receipt: Receipt | None


class BookRoom(BaseModel):
    """The arguments of `book_room`. Only types are checked here; what a value may be is the house's to say."""

    model_config = ConfigDict(strict=True)

    date: str = Field(description="The day, as YYYY-MM-DD.")
    part: str = Field(description="The part of the day: morning, afternoon or evening.")
    people: int = Field(description="How many people come.", json_schema_extra={"minimum": 1})
    contact: str = Field(description="The e-mail address of whoever books.")
    room: str = Field(description="The id of a room of find_rooms.")
    seating: str = Field(description="A seating of room_details.")
    equipment: list[str] = Field(default_factory=list, description="Equipment of room_details.")
    purpose: str | None = Field(
        default=None,
        description="What it is for, in a few words.",
        json_schema_extra={"maxLength": PURPOSE_CHARACTERS},
    )
    note: str | None = Field(default=None, description="What the caretaker should know.")
    confirmed: bool = Field(default=False, description="True only once the user has confirmed the summary.")
    idempotency_key: str | None = Field(default=None, description="The same key again gives the same booking.")


def build_server(rooms: Rooms, *, dev: bool = False) -> MCPServer[Any]:
    """The house as an MCP server with its four tools; `dev` marks it as one for development, which may be probed.

    Needs the extra `mcp`; leaves the root logger as it was.
    """

    async def book_room() -> Receipt:
        """Book a room under the user's name. Refuses unless confirmed is true and writes are on."""
        raise AssertionError("the server hands a create call to the house itself")

    return counting_server(_HOUSE, rooms, tools=[*_read_tools(rooms), _SHAPES.write(book_room, BookRoom, dev=dev)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve a house over stdio until stdin ends; gives the exit code, 2 for a database that is no house."""
    return serve(
        arguments,
        program="marg_scenarios.room_booking.server",
        about="The example house.",
        opened=Rooms,
        build=build_server,
    )


def _read_tools(rooms: Rooms) -> list[Tool]:
    async def find_rooms(date: str, part: Part, people: int, query: str = "", page: int = 1) -> FoundRooms:
        """Rooms that seat so many people and are free then, three a page, by name; the query looks in the name."""
        found = rooms.find(date=date, part=part, people=people, query=query, page=page)
        rows = [RoomRow(id=room.id, name=room.name, floor=room.floor, seats=room.seats) for room in found.rooms]
        return FoundRooms(rooms=rows, more=found.more)

    async def room_details(room: str) -> RoomDetails:
        """How a room can be seated, and what stands in it."""
        return RoomDetails(
            room=room,
            seatings=[ChoiceRow(value=one.value, label=one.label) for one in rooms.seatings(room)],
            equipment=[ChoiceRow(value=one.value, label=one.label) for one in rooms.equipment(room)],
        )

    async def find_booking(idempotency_key: str) -> FoundByKey:
        """Whether a create call with this key wrote a booking, and which."""
        booking = rooms.by_key(idempotency_key)
        return FoundByKey(found=booking is not None, receipt=_receipt(booking) if booking else None)

    return [_SHAPES.bound(tool) for tool in (find_rooms, room_details, find_booking)]


def _receipt(booking: Booking) -> Receipt:
    created = datetime.fromtimestamp(booking.created_at / 1000, tz=UTC)
    return Receipt(
        id=booking.id,
        date=booking.date,
        part=booking.part,
        people=booking.people,
        room=booking.room,
        created_at=created.isoformat(timespec="seconds").replace("+00:00", "Z"),
    )


def _new(content: dict[str, Any]) -> NewBooking:
    return NewBooking(**{**content, "equipment": tuple(content["equipment"])})


_HOUSE: WriteServer[NewBooking, Booking] = WriteServer(
    name=NAME, version=VERSION, create=CREATE, arguments=BookRoom, new=_new, receipt=_receipt
)


if __name__ == "__main__":
    raise SystemExit(main())
