"""The second example domain: its form, its picker, its multi chips, its confirmation and its review."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.errors import ToolError
from marg_runtime.reconcile import Reconcile
from marg_runtime.steps import (
    Field,
    Option,
    OptionPage,
    OptionsContext,
    SearchContext,
    chips_step,
    confirm_step,
    form_step,
    multi_chips_step,
    picker_step,
    review_step,
    text_step,
)
from marg_runtime.tools import ToolName

from .rooms import PURPOSE_CHARACTERS

SERVER = "house"
RULE = "Never call book_room before the user has confirmed the summary; the runtime books the room."

PARTS = (
    Option(label="Morning", value="morning"),
    Option(label="Afternoon", value="afternoon"),
    Option(label="Evening", value="evening"),
)


async def _rooms(context: SearchContext) -> OptionPage:
    """The rooms that are free and large enough for what the form says."""
    wanted = {slot: context.draft[slot] for slot in ("date", "part", "people")}
    found = await context.call("find_rooms", {**wanted, "query": context.query, "page": context.page})
    data = found.data if isinstance(found.data, Mapping) else {}
    options = [_room(row) for row in _rows(data.get("rooms"), tool="find_rooms")]
    return OptionPage(options=options, more=data.get("more") is True)


def _room(row: Mapping[str, Json]) -> Option:
    name, seats = row.get("name"), row.get("seats")
    if not isinstance(name, str):
        raise ToolError(f"find_rooms gave a room without a name: {dict(row)!r}")
    # A person types the name alone; the seats are there to read.
    return Option(label=f"{name} ({seats} seats)", value=row.get("id"), synonyms=(name,))


def _offered(kind: Literal["seatings", "equipment"]) -> Callable[[OptionsContext], Awaitable[Sequence[Option]]]:
    """What the chosen room offers of a kind, asked for when the step is drawn."""

    async def options(context: OptionsContext) -> Sequence[Option]:
        found = await context.call("room_details", {"room": context.draft["room"]})
        data = found.data if isinstance(found.data, Mapping) else {}
        rows = _rows(data.get(kind), tool="room_details")
        return [Option(label=str(row.get("label")), value=row.get("value")) for row in rows]

    return options


def _rows(rows: Json, *, tool: str) -> list[Mapping[str, Json]]:
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise ToolError(f"{tool} gave no list: {rows!r}")
    if not all(isinstance(row, Mapping) for row in rows):
        raise ToolError(f"{tool} gave a list of something else: {rows!r}")
    return [row for row in rows if isinstance(row, Mapping)]


def _receipt(data: Json) -> str:
    return f"booking {data['id']}" if isinstance(data, Mapping) and "id" in data else "the booking"


ROOM_BOOKING = Domain(
    name="room_booking",
    skill=(Path(__file__).parent / "skill.md").read_text(encoding="utf-8"),
    rule=RULE,
    steps=(
        form_step(
            key="meeting",
            label="Meeting",
            lead="When is it, and for how many?",
            say="The meeting is on {date} ({part}), {people} people.",
            asks_like=r"\b(when|what (date|day|time)|which (date|day|time)|how many|e-?mail|contact)\b",
            fields=[
                Field(slot="date", label="Date", type="date", minimum="2026-01-01"),
                Field(slot="part", label="Part of the day", type="choice", options=PARTS),
                Field(slot="people", label="People", type="integer", minimum=1, maximum=80),
                Field(slot="contact", label="Contact", type="email"),
                Field(slot="purpose", label="Purpose", required=False, max_length=PURPOSE_CHARACTERS),
            ],
        ),
        picker_step(
            key="room",
            label="Room",
            slot="room",
            lead="Which room?",
            search=_rooms,
            say="Room set to {v}.",
            asks_like=r"\b(which|what) room\b",
            depends_on=["meeting"],
        ),
        chips_step(
            key="seating",
            label="Seating",
            slot="seating",
            lead="How should it be seated?",
            options=_offered("seatings"),
            say="Seating set to {v}.",
            asks_like=r"\b(seat(ed|ing)|table or rows|rows or)\b",
            depends_on=["room"],
        ),
        multi_chips_step(
            key="equipment",
            label="Equipment",
            slot="equipment",
            lead="What should stand ready?",
            options=_offered("equipment"),
            max_choices=2,
            say="Equipment set to {v}.",
            asks_like=r"\b(equipment|projector|whiteboard|stand ready)\b",
            depends_on=["room"],
            required=False,
        ),
        text_step(
            key="note",
            label="Note",
            slot="note",
            lead="Anything for the caretaker to know?",
            say="Note added.",
            asks_like=r"\b(caretaker|note|anything else)\b",
            required=False,
            proposable=True,
            max_length=400,
        ),
    ),
    confirm=confirm_step(
        label="Your booking",
        lead="Shall I book this room?",
        create_label="Book",
        decline_label="Not yet",
        asks_like=r"\b(book|reserve|confirm|go ahead)\b",
    ),
    review=review_step(asks_like=r"\b(change|edit|correct) (something|anything)\b"),
    read_tools=frozenset(ToolName(server=SERVER, name=name) for name in ("find_rooms", "room_details", "find_booking")),
    reconcile=Reconcile(tool=ToolName(server=SERVER, name="find_booking")),
    write_tool=ToolName(server=SERVER, name="book_room"),
    receipt=_receipt,
)
