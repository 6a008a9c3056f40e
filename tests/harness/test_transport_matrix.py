"""Faults of the wire have the class that was written down for them, whatever any text says."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")
pytest.importorskip("anthropic")
pytest.importorskip("uvicorn")
pytest.importorskip("mcp")

from benchmarks import transport_peers
from benchmarks.transport_matrix import run, table
from benchmarks.transport_rows import MODEL_PEERS, TOOL_PEERS, Row, rows

from marg_harness.tool_wire import gateway, http_server, stdio_server
from marg_mock_model.endpoint import breakage as endpoint_breakage
from marg_runtime.models import attempt, fault
from marg_runtime.tools import breakage, link
from marg_runtime.wire import WireKind

DOCUMENT = Path(__file__).parents[2] / "docs" / "triage.md"
ROWS = rows()
PLAIN = tuple(ROWS[number] for number in range(0, len(ROWS), 14))
# One fault of the tools' wire for each class, at the peer that the file names first for it.
TOOLS_ONCE = tuple({row.red_class: row for row in reversed(ROWS) if not row.is_model}.values())
SHUFFLED = tuple(row for row in ROWS if row.is_model) + TOOLS_ONCE

MISLEADING = (
    "429 Too Many Requests: rate limit reached",
    "The read operation timed out",
    "Incorrect API key provided (401 Unauthorized)",
    "Connection refused",
    "Connection reset by peer",
    "503 Service Unavailable: overloaded",
    "insufficient_quota: you have nothing left to spend",
    "Connection closed",
    "<!doctype html><p>Sign in to the network</p>",
    "Expecting value: line 1 column 1 (char 0)",
    "",
)
"""Texts of one fault each, to be said by all the others."""


def wrong(chosen: Sequence[Row]) -> list[tuple[str, str]]:
    return [(one.row.name, one.red_class) for one in asyncio.run(run(chosen)) if one.is_wrong]


def test_the_matrix_has_sixty_rows_at_least_each_once() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) >= 60


def test_every_peer_has_rows_and_every_kind_of_fault_a_class() -> None:
    assert {row.peer for row in ROWS} == {*MODEL_PEERS, *TOOL_PEERS}
    kinds = set(WireKind.__args__) - {"request"}  # type: ignore[attr-defined]
    assert {row.red_class for row in ROWS} == {"none", *(f"transport.{kind}" for kind in kinds)}


def test_a_sample_of_the_rows_is_right() -> None:
    assert wrong(PLAIN) == []


def test_a_row_that_says_otherwise_is_wrong() -> None:
    row = replace(next(row for row in ROWS if row.fault == "429"), red_class="transport.timeout")
    assert wrong([row]) == [(row.name, "transport.rate_limit")]


def test_the_documentation_has_the_table() -> None:
    assert table(ROWS) in DOCUMENT.read_text(encoding="utf-8")


class Words:
    """Says another misleading text at every turn. `said` counts them."""

    def __init__(self) -> None:
        self._draw = random.Random(5)
        self.said = 0

    def __call__(self) -> str:
        """One of them."""
        self.said += 1
        return self._draw.choice(MISLEADING)

    def retell(self, error: BaseException | None, seen: frozenset[int] = frozenset()) -> None:
        """Give an error, and all that are behind it, other words."""
        if error is None or id(error) in seen:
            return
        seen |= {id(error)}
        if isinstance(error, Exception):  # a cancellation's words are how anyio knows its own
            error.args = tuple(self() if isinstance(part, str) else part for part in error.args) or (self(),)
        for holder in (error, getattr(error, "error", None)):
            if "message" in getattr(holder, "__dict__", {}):
                setattr(holder, "message", self())  # noqa: B010
        if isinstance(body := getattr(error, "body", None), dict):
            self._retell_body(body)
        for other in (*getattr(error, "exceptions", ()), error.__cause__, error.__context__):
            self.retell(other, seen)

    def _retell_body(self, body: dict[str, Any]) -> None:
        for key, value in body.items():
            if isinstance(value, dict):
                self._retell_body(value)
            elif key == "message":
                body[key] = self()


@pytest.fixture
def shuffled(monkeypatch: pytest.MonkeyPatch) -> Words:
    """Every text that a peer sends, and every message of an exception, is another fault's."""
    words = Words()

    def retold(tell: Callable[..., Any]) -> Callable[..., Any]:
        def telling(error: BaseException | None, *more: Any, **named: Any) -> Any:
            words.retell(error)
            return tell(error, *more, **named)

        return telling

    monkeypatch.setattr(attempt, "fault_of", retold(fault.fault_of))
    monkeypatch.setattr(attempt, "fault_of_reply", retold(fault.fault_of_reply))
    monkeypatch.setattr(link, "breakage", retold(breakage.breakage))
    monkeypatch.setattr(endpoint_breakage, "MESSAGES", dict.fromkeys(endpoint_breakage.MESSAGES, words()))
    monkeypatch.setattr(endpoint_breakage, "HTML", words().encode())
    monkeypatch.setattr(http_server, "PAGE", words())
    monkeypatch.setattr(transport_peers, "SAID", "Connection refused")
    monkeypatch.setattr(stdio_server, "NO_MESSAGE", b"429 Too Many Requests\n")
    monkeypatch.setattr(gateway, "SERVER_ERROR", words())
    monkeypatch.setattr(gateway, "REFUSAL", words())
    return words


def test_no_text_of_any_message_is_read(shuffled: Words) -> None:
    assert wrong(SHUFFLED) == []
    assert shuffled.said > len(SHUFFLED)
