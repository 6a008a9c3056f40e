"""The example house: which rooms it finds, what it refuses to book, and its own count."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from marg_runtime.errors import UsageError
from marg_scenarios.backend import BackendCounts, Refusal
from marg_scenarios.room_booking import Booking, NewBooking, Rooms

NEW = NewBooking(
    date="2026-03-02",
    part="morning",
    people=8,
    contact="ann@example.org",
    room="elm",
    seating="table",
    equipment=("projector", "whiteboard"),
    purpose="Planning",
)


@pytest.fixture
def rooms() -> Iterator[Rooms]:
    """A house in memory whose clock stands still."""
    with closing(Rooms(":memory:", clock=lambda: 1_767_225_600_000)) as house:
        yield house


def names(rooms: Rooms, **wanted: Any) -> list[str]:
    found = rooms.find(**{"date": "2026-03-02", "part": "morning", "people": 1, **wanted})
    return [room.name for room in found.rooms]


def test_rooms_come_by_name_three_a_page(rooms: Rooms) -> None:
    pages = [names(rooms, page=page) for page in (1, 2, 3)]
    assert pages == [["Atrium", "Birch", "Cedar"], ["Elm", "Garden hall", "Harbour"], []]


def test_a_page_says_whether_there_are_more(rooms: Rooms) -> None:
    pages = [rooms.find(date="2026-03-02", part="morning", people=1, page=page).more for page in (1, 2)]
    assert pages == [True, False]


def test_rooms_that_are_too_small_are_left_out(rooms: Rooms) -> None:
    assert names(rooms, people=30) == ["Atrium", "Garden hall"]


def test_rooms_that_are_taken_then_are_left_out(rooms: Rooms) -> None:
    assert names(rooms, query="fjord") == []
    assert names(rooms, query="fjord", part="evening") == ["Fjord"]


def test_every_word_of_the_query_stands_in_the_name_in_any_case(rooms: Rooms) -> None:
    assert (names(rooms, query="HALL garden"), names(rooms, query="garden elm")) == (["Garden hall"], [])


@pytest.mark.parametrize("page", [0, -3])
def test_a_page_before_the_first_is_the_first(rooms: Rooms, page: int) -> None:
    assert names(rooms, page=page) == names(rooms)


def test_what_a_room_offers_comes_in_the_houses_own_order(rooms: Rooms) -> None:
    assert [one.value for one in rooms.equipment("elm")] == ["projector", "whiteboard", "video", "flipchart"]
    assert [one.label for one in rooms.seatings("elm")] == ["One table", "Circle"]


def test_a_room_that_is_not_there_offers_nothing(rooms: Rooms) -> None:
    assert (rooms.room("oak"), rooms.equipment("oak"), rooms.seatings("oak")) == (None, (), ())


def test_a_booking_is_kept_as_it_was_asked_for(rooms: Rooms) -> None:
    made = rooms.create(NEW)
    assert isinstance(made, Booking)
    assert (made.id, rooms.booking(made.number)) == ("B-504", made)
    assert made.equipment == NEW.equipment


def test_a_booked_room_is_no_longer_found(rooms: Rooms) -> None:
    rooms.create(NEW)
    assert names(rooms, query="elm") == []


def test_the_count_is_the_houses_own(rooms: Rooms) -> None:
    rooms.create(NEW, idempotency_key="k")
    rooms.create(NEW, idempotency_key="k")
    rooms.create(replace(NEW, people=0))
    assert rooms.counts() == BackendCounts(create_calls=3, refused=1, writes=1)


def test_G9_the_same_key_again_gives_the_same_booking_though_the_room_is_taken_by_it(rooms: Rooms) -> None:
    first = rooms.create(NEW, idempotency_key="k")
    assert rooms.create(NEW, idempotency_key="k") == first
    assert rooms.by_key("k") == first


def test_G9_the_same_key_for_something_else_is_refused(rooms: Rooms) -> None:
    rooms.create(NEW, idempotency_key="k")
    again = rooms.create(replace(NEW, people=7), idempotency_key="k")
    assert isinstance(again, Refusal)
    assert (again.code, again.message) == (
        "key_reused",
        "Nothing was created: the idempotency key belongs to B-504, whose content differs.",
    )


def test_a_room_is_booked_once(rooms: Rooms) -> None:
    rooms.create(NEW, idempotency_key="one")
    again = rooms.create(NEW, idempotency_key="two")
    assert again == Refusal(code="conflict", message="Nothing was created: Elm is taken in the morning of 2026-03-02.")
    assert rooms.counts() == BackendCounts(create_calls=2, refused=1, writes=1)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"date": "soon"}, "the date is one as YYYY-MM-DD, not 'soon'."),
        ({"part": "night"}, "the part is one of morning, afternoon, evening, not 'night'."),
        ({"contact": "ann"}, "the contact is an e-mail address, not 'ann'."),
        ({"room": "oak"}, "there is no room 'oak'."),
        ({"people": 0}, "Elm seats 1 to 12 people, not 0."),
        ({"people": 13}, "Elm seats 1 to 12 people, not 13."),
        ({"seating": "rows"}, "Elm is seated as table, circle, not 'rows'."),
        ({"equipment": ("projector", "piano")}, "Elm has projector, whiteboard, video, flipchart, not 'piano'."),
        ({"purpose": "x" * 81}, "the purpose has at most 80 characters; it has 81."),
        ({"note": "half \ud83d"}, "a text holds half a character (a lone surrogate)."),
    ],
)
def test_what_cannot_be_booked_is_refused_with_a_sentence(rooms: Rooms, changed: dict[str, Any], fault: str) -> None:
    refused = rooms.create(replace(NEW, **changed))
    assert refused == Refusal(code="bad_arguments", message=f"Nothing was created: {fault}")


def test_an_empty_key_is_refused(rooms: Rooms) -> None:
    assert isinstance(rooms.create(NEW, idempotency_key=""), Refusal)


def test_a_file_that_is_another_store_is_no_house(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE things (name TEXT)")
    with pytest.raises(
        UsageError, match=r"other\.db' is no house: it holds something else \(user_version 0, a house has 1"
    ):
        Rooms(tmp_path / "other.db")


def test_a_house_in_a_file_is_still_there_when_it_is_opened_again(tmp_path: Path) -> None:
    with closing(Rooms(tmp_path / "house.db")) as first:
        made = first.create(NEW, idempotency_key="k")
    with closing(Rooms(tmp_path / "house.db")) as again:
        assert (again.by_key("k"), again.counts().writes) == (made, 1)
