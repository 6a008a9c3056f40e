"""The journal: every request that reached the endpoint, what it was answered, and how that ended. Keys are removed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal

from marg_mock_model.endpoint.json_text import json_bytes, json_value
from marg_mock_model.endpoint.wire import ApiName
from marg_runtime.errors import UsageError
from marg_runtime.scrub import REMOVED, own_secrets, scrub_together, secrets_of_headers

MOST_KEPT = 5_000
"""How many exchanges are kept in memory; the oldest go first. A journal's file has all of them."""

Outcome = Literal["open", "answered", "cut", "truncated", "dropped", "stalled", "left"]
"""How an exchange ended: `left` is a client that went before the answer was whole."""

ACCOUNT_HEADERS = frozenset({"openai-organization", "openai-project"})
"""Headers that name whose account it is; no secrets, and nobody else's business."""

AuthStyle = Literal["bearer", "x-api-key", "none"]


@dataclass(kw_only=True, slots=True)
class Exchange:
    """One request and what became of it.

    `number` counts from 1; `at` and `ended` are seconds since the endpoint began, on a clock that never goes back.
    `status` is 0 where none was sent; `fault` is what was played; `reply` is the reply's id, `sent` its whole text,
    and `went` the part of that text which a broken stream got to send. `slips` are named `KIND:LINE`.
    """

    number: int
    at: float
    method: str
    path: str
    headers: Sequence[tuple[bytes, bytes]]
    body: bytes
    api: ApiName | None = None
    conversation: str = ""
    stream: bool = False
    status: int = 0
    outcome: Outcome = "open"
    ended: float | None = None
    fault: str | None = None
    retry_after: float | None = None
    state: str | None = None
    transition: str | None = None
    slips: tuple[str, ...] = ()
    error: str | None = None
    reply: str | None = None
    sent: str | None = None
    went: str | None = None

    @property
    def auth(self) -> AuthStyle:
        """How the client gave its key."""
        names = {name.lower() for name, _ in self.headers}
        return "x-api-key" if b"x-api-key" in names else "bearer" if b"authorization" in names else "none"

    def parsed(self) -> Any:
        """The body as JSON; None where it is none."""
        try:
            return json_value(self.body)
        except ValueError:
            return None

    def record(self) -> dict[str, Any]:
        """The exchange as JSON, without secrets; times are rounded to a tenth of a millisecond."""
        body = self.parsed()
        found: dict[str, Any] = {
            "number": self.number,
            "at": round(self.at, 4),
            "ended": None if self.ended is None else round(self.ended, 4),
            "method": self.method,
            "path": self.path,
            "api": self.api,
            "auth": self.auth,
            "conversation": self.conversation,
            "headers": _headers(self.headers),
            "body": self.body.decode("utf-8", "replace") if body is None else body,
            "stream": self.stream,
            "status": self.status,
            "outcome": self.outcome,
            "fault": self.fault,
            "retry_after": self.retry_after,
            "state": self.state,
            "transition": self.transition,
            "slips": list(self.slips),
            "error": self.error,
            "reply": self.reply,
            "sent": self.sent,
            "went": self.went,
        }
        clean: Any = scrub_together(found, secrets=own_secrets() | secrets_of_headers(self.headers))
        return dict(clean)


def _headers(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    found = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
    return {name: REMOVED if name in ACCOUNT_HEADERS else value for name, value in found.items()}


@dataclass(kw_only=True)
class Journal:
    """The exchanges of one endpoint, in the order in which they came."""

    file: Path | None = None
    exchanges: deque[Exchange] = field(default_factory=lambda: deque(maxlen=MOST_KEPT))
    _began: float = field(default_factory=time.monotonic)
    _count: int = 0
    _out: BinaryIO | None = None

    def open(self) -> None:
        """Open the journal's file, where it has one; raises UsageError where it cannot be written."""
        if self.file is None:
            return
        try:
            self._out = self.file.open("ab")
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"the journal {str(self.file)!r} cannot be written: {reason}; name another.") from None

    def close(self) -> None:
        """Close the file."""
        if self._out is not None:
            self._out.close()
            self._out = None

    def begin(self, *, method: str, path: str, headers: Sequence[tuple[bytes, bytes]], body: bytes) -> Exchange:
        """A request came."""
        self._count += 1
        exchange = Exchange(number=self._count, at=self._now(), method=method, path=path, headers=headers, body=body)
        self.exchanges.append(exchange)
        return exchange

    def end(self, exchange: Exchange, outcome: Outcome) -> None:
        """An exchange ended."""
        exchange.outcome = outcome
        exchange.ended = self._now()
        if self._out is not None:
            self._out.write(json_bytes(exchange.record()) + b"\n")
            self._out.flush()

    def drop(self, exchange: Exchange) -> None:
        """Take an exchange back that is no part of the journal."""
        # Nothing is in it any more where the exchange itself had everything forgotten.
        if exchange in self.exchanges:
            self.exchanges.remove(exchange)
            self._count -= 1

    def model_calls(self) -> Iterator[Exchange]:
        """The exchanges that asked for a reply, in order."""
        return (exchange for exchange in self.exchanges if exchange.api is not None)

    def clear(self) -> None:
        """Forget what was kept in memory and count from 1 again."""
        self.exchanges.clear()
        self._count = 0

    def _now(self) -> float:
        return time.monotonic() - self._began
