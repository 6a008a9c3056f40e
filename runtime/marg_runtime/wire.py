"""What went over the wire to a model or a tool server, seen at our own seam: one type of event for both.

A request is `sent` and ends in exactly one of `answered` (a whole reply, with its terminal marker) and `broken`. What
came in between and was no part of a reply (a stray line, an attempt that was retried) is `noise`. Names, sizes and
kinds are recorded, never the content: a log of the wire holds no key and no words of a person's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

WireSide = Literal["model", "tool"]
WirePhase = Literal["sent", "answered", "broken", "noise"]
WireKind = Literal[
    "timeout",
    "connect",
    "reset",
    "rate_limit",
    "overload",
    "auth",
    "quota",
    "protocol",
    "truncated",
    "mcp_closed",
    "mcp_timeout",
    "proxy_body",
    "request",
]
"""Why an exchange broke, told from types and codes and never from the text of a message.

`request` alone says nothing of the wire: the other side was there, and refuses what it was asked.
"""


@dataclass(frozen=True, kw_only=True)
class WireEvent:
    """One thing that happened on the wire.

    exchange: the request that it belongs to, unique in one log. peer: the tool server's name here, or the model's host.
    what: the request's name (`tools/call create_ticket`, `POST /chat/completions`). attempt: 1 for the first. status:
    of HTTP, where there was one. code: a JSON-RPC code or an error type of the peer's. retry_after: seconds, where the
    peer asked for them. bytes: of what was sent or received, where it is known. terminal: whether the marker that ends
    a reply was seen. kind: why it broke. error: the name of its exception, never its text, which may hold content.
    """

    side: WireSide
    phase: WirePhase
    exchange: str
    peer: str
    what: str
    attempt: int = 1
    status: int | None = None
    code: int | str | None = None
    retry_after: float | None = None
    bytes: int | None = None
    terminal: bool = False
    kind: WireKind | None = None
    error: str = ""
    chunks: int | None = None
    marker: str = ""
    causes: tuple[str, ...] = ()
    request_id: str | None = None
    request: str = ""
    settings: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


WireSink: TypeAlias = Callable[[WireEvent], None]


def ignore_wire(event: WireEvent) -> None:
    """The sink of those who keep no log."""


@dataclass(kw_only=True)
class WireLog:
    """A sink that keeps every event in order; give it to a client as `wire=log`."""

    events: list[WireEvent] = field(default_factory=list)

    def __call__(self, event: WireEvent) -> None:
        """Keep an event."""
        self.events.append(event)

    def broken(self) -> list[WireEvent]:
        """The events of exchanges that broke."""
        return [event for event in self.events if event.phase == "broken"]


_STATUS_KINDS: dict[int, WireKind] = {
    400: "request",
    401: "auth",
    402: "quota",
    403: "auth",
    404: "request",
    408: "timeout",
    422: "request",
    429: "rate_limit",
}


def kind_of_status(status: int) -> WireKind:
    """The kind of a failed HTTP exchange by its status alone.

    401 and 403 are `auth`, 402 `quota`, 429 `rate_limit`, 408 `timeout`, every 5xx `overload`; 400, 404 and 422 are
    `request`: the other side is there and refuses what it was asked. Any other is `protocol`.
    """
    return _STATUS_KINDS.get(status, "overload" if status >= 500 else "protocol")
