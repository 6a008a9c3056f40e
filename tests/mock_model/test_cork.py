"""A corked connection: what is written goes out as one, in order, and never gets lost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from marg_mock_model.endpoint.cork import Cork


class Wire(asyncio.Transport):
    """A transport that records what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.did: list[Any] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.did.append(bytes(data))

    def close(self) -> None:
        self.did.append("close")

    def abort(self) -> None:
        self.did.append("abort")


def test_what_is_held_back_goes_out_as_one() -> None:
    wire = Wire()
    cork = Cork(wire)
    cork.cork()
    cork.write(b"head ")
    cork.write(b"body")
    before = list(wire.did)
    cork.uncork()
    cork.write(b"next")
    assert (before, wire.did) == ([], [b"head body", b"next"])


def test_nothing_held_back_writes_nothing() -> None:
    wire = Wire()
    cork = Cork(wire)
    cork.cork()
    cork.uncork()
    assert wire.did == []


@pytest.mark.parametrize(("leave", "expected"), [("close", [b"head", "close"]), ("abort", ["abort"])])
def test_closing_writes_what_is_held_back_and_aborting_does_not(leave: str, expected: list[Any]) -> None:
    wire = Wire()
    cork = Cork(wire)
    cork.cork()
    cork.write(b"head")
    getattr(cork, leave)()
    assert wire.did == expected
