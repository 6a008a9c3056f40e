"""The example house as an MCP server: its tools, its door, its skill text."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import closing
from importlib.resources import files
from typing import Any, TypeVar

import pytest

from marg_runtime.canonical import Json
from marg_runtime.fit import check_fit
from marg_runtime.tools import ToolName, ToolOutcome
from marg_runtime.tools.mcp import McpTools
from marg_scenarios import find_kit
from marg_scenarios.room_booking import Rooms
from marg_scenarios.room_booking.domain import ROOM_BOOKING, RULE, SERVER
from marg_scenarios.room_booking.kit import KIT
from marg_scenarios.room_booking.server import build_server

FLAG = "MARG_ALLOW_WRITES"
_T = TypeVar("_T")


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    """A house in memory, with the write flag on."""
    monkeypatch.setenv(FLAG, "true")
    with closing(Rooms(":memory:", clock=lambda: 1_767_225_600_000)) as house:
        yield house


def run(coroutine: Coroutine[Any, Any, _T]) -> _T:
    return asyncio.run(coroutine)


async def call(rooms: Rooms, name: str, arguments: Mapping[str, Json]) -> ToolOutcome:
    async with McpTools({SERVER: build_server(rooms)}) as tools:
        return await tools.call(ToolName(server=SERVER, name=name), arguments)


def booked(rooms: Rooms, **changed: Json) -> ToolOutcome:
    return run(call(rooms, "book_room", {**KIT.record, "confirmed": True, **changed}))


def test_the_house_lists_its_reads_and_its_one_write(rooms: Rooms) -> None:
    async def listed() -> list[str]:
        async with McpTools({SERVER: build_server(rooms)}) as tools:
            return [spec.name for spec in await tools.list()]

    assert run(listed()) == ["find_rooms", "room_details", "find_booking", "book_room"]


def test_the_domain_and_its_write_fit(rooms: Rooms) -> None:
    async def fits() -> None:
        async with McpTools({SERVER: build_server(rooms)}) as tools:
            check_fit(ROOM_BOOKING, await tools.list())

    run(fits())


def test_rooms_are_found_page_by_page(rooms: Rooms) -> None:
    arguments: dict[str, Json] = {"date": "2026-03-02", "part": "morning", "people": 8, "page": 2}
    outcome = run(call(rooms, "find_rooms", arguments))
    assert outcome.data == {
        "rooms": [
            {"id": "garden-hall", "name": "Garden hall", "floor": 0, "seats": 40},
            {"id": "harbour", "name": "Harbour", "floor": 3, "seats": 24},
        ],
        "more": False,
    }


def test_a_room_tells_what_it_offers(rooms: Rooms) -> None:
    outcome = run(call(rooms, "room_details", {"room": "birch"}))
    assert outcome.data == {
        "room": "birch",
        "seatings": [{"value": "table", "label": "One table"}],
        "equipment": [{"value": "whiteboard", "label": "Whiteboard"}],
    }


def test_the_known_good_record_is_booked(rooms: Rooms) -> None:
    assert booked(rooms).data == {
        "id": "B-504",
        "date": "2026-03-02",
        "part": "morning",
        "people": 8,
        "room": "elm",
        "created_at": "2026-01-01T00:00:00Z",
    }


@pytest.mark.parametrize("confirmed", [False, "true", 1, None])
def test_G6_nothing_is_booked_unless_confirmed_is_true_itself(rooms: Rooms, confirmed: Json) -> None:
    outcome = booked(rooms, confirmed=confirmed)
    assert (outcome.is_error, rooms.counts().writes, rooms.counts().refused) == (True, 0, 1)


@pytest.mark.parametrize("flag", [None, "True", "1", ""])
def test_G6_nothing_is_booked_unless_the_flag_is_the_literal_true(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch, flag: str | None
) -> None:
    monkeypatch.delenv(FLAG) if flag is None else monkeypatch.setenv(FLAG, flag)
    assert (booked(rooms).is_error, rooms.counts().writes) == (True, 0)


@pytest.mark.parametrize("changed", [{"people": "8"}, {"equipment": "projector"}, {"date": None}])
def test_arguments_of_another_type_are_refused_and_counted(rooms: Rooms, changed: dict[str, Json]) -> None:
    assert (booked(rooms, **changed).is_error, rooms.counts().create_calls) == (True, 1)


def test_a_room_that_is_taken_is_told_in_a_sentence(rooms: Rooms) -> None:
    booked(rooms, idempotency_key="one")
    assert booked(rooms, idempotency_key="two").text == (
        "Nothing was created: Elm is taken in the morning of 2026-03-02."
    )


def test_G9_a_booking_is_found_by_its_key(rooms: Rooms) -> None:
    booked(rooms, idempotency_key="k")
    outcome = run(call(rooms, "find_booking", {"idempotency_key": "k"}))
    receipt = outcome.data["receipt"] if isinstance(outcome.data, Mapping) else None
    assert isinstance(receipt, Mapping)
    assert receipt["id"] == "B-504"


@pytest.fixture
def skill() -> str:
    return files("marg_scenarios.room_booking").joinpath("skill.md").read_text(encoding="utf-8")


def test_G6_the_rule_stands_on_a_line_of_its_own(skill: str) -> None:
    assert skill.splitlines().count(RULE) == 1


@pytest.mark.parametrize("tool", ["propose(slot, value, quote)", "reopen(step)", "find_rooms(", "room_details("])
def test_the_skill_text_names_every_tool_that_the_model_may_use(skill: str, tool: str) -> None:
    assert f"`{tool}" in skill


def test_the_kit_is_found_by_its_name() -> None:
    assert find_kit("room_booking") is KIT
