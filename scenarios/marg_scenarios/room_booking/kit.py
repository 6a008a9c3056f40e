"""The second example domain as a kit: a fresh house in memory for every conversation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from marg_runtime.domain import Domain
from marg_scenarios.backend import ServedStore, standing_clock
from marg_scenarios.kit import Kit

from .domain import ROOM_BOOKING, SERVER
from .rooms import Rooms
from .server import build_server


def _house() -> ServedStore:
    rooms = Rooms(":memory:", clock=standing_clock)
    return ServedStore(rooms, name=SERVER, server=build_server(rooms, dev=True))


def _taps_only() -> Domain:
    return replace(ROOM_BOOKING, steps=tuple(replace(step, policy="click_only") for step in ROOM_BOOKING.steps))


_HERE = Path(__file__).parent

KIT = Kit(
    domain=ROOM_BOOKING,
    backend=_house,
    machine=_HERE / "room_booking.machine.yaml",
    scenarios=_HERE / "scenarios",
    dev=True,
    excused={
        "gate skill refused": "every request of a replay carries the rule; tests/runtime/test_gate.py takes it out",
        "tool house/find_booking": "looked up only for a write whose outcome is unknown, as at the desk",
    },
    record={
        "date": "2026-03-02",
        "part": "morning",
        "people": 8,
        "contact": "ann@example.org",
        "room": "elm",
        "seating": "table",
        "equipment": ["projector", "whiteboard"],
        "purpose": "Planning",
        "note": "The door code has changed.",
    },
)

CLICK_ONLY_KIT = replace(KIT, domain=_taps_only())
"""Every step of it is answered by taps and submits, and by no words."""
