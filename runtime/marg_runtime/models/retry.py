"""When a call is tried again, and how long is waited before; the clock and the sleep are handed in."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from math import isfinite

from marg_runtime.errors import UsageError
from marg_runtime.wire import WireKind

_RETRIED: tuple[WireKind, ...] = ("connect", "reset", "rate_limit", "overload", "truncated")
_GATEWAY_TIMEOUTS = (408, 504)


@dataclass(frozen=True, kw_only=True)
class Retries:
    """How often and how patiently a call is tried again, in seconds.

    most: tries after the first one. The waits begin at `first`, double, and stop growing at `longest`, each shortened
    by up to a half at random, so that many clients do not come back at once. A provider that asks for a wait is given
    it, up to `patience`; one that asks for more is not asked again.
    """

    most: int = 2
    first: float = 0.5
    longest: float = 8.0
    patience: float = 30.0

    def __post_init__(self) -> None:
        for name in ("most", "first", "longest", "patience"):
            value = getattr(self, name)
            if not value >= 0 or not isfinite(value):
                raise UsageError(f"Retries: {name} is a number from 0, not {value!r}")

    def wait(self, attempt: int, *, asked: float | None, spread: float) -> float | None:
        """Seconds to wait after an attempt (from 1) before the next one; None where there is to be none.

        `asked` is what the provider asks for, `spread` is drawn from [0, 1).
        """
        if attempt > self.most:
            return None
        if asked is not None:
            return asked if asked <= self.patience else None
        return min(self.longest, self.first * 2.0 ** min(attempt - 1, 32)) * (1 - spread / 2)


@dataclass(frozen=True, kw_only=True)
class Timeout:
    """Seconds to wait: for a connection, for the next bytes, and for a whole call with all its tries and waits."""

    connect: float = 10.0
    read: float = 60.0
    total: float = 300.0

    def __post_init__(self) -> None:
        for name in ("connect", "read", "total"):
            value = getattr(self, name)
            if not value > 0 or not isfinite(value):
                raise UsageError(f"Timeout: {name} is more than 0 seconds, not {value!r}")


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Where time and chance come from: seconds that only grow, seconds since 1970 UTC, a sleep, a draw from [0, 1)."""

    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    spread: Callable[[], float] = random.random


def may_retry(kind: WireKind, *, status: int | None, unsent: bool) -> bool:
    """Whether a fault may pass by itself. A long silence is not waited for twice, a refused request stays refused."""
    return kind in _RETRIED or unsent or status in _GATEWAY_TIMEOUTS


def retry_after(headers: Mapping[str, str], *, now: float) -> float | None:
    """Seconds that a provider asks to wait: in milliseconds, in seconds (whole or not), or until a date (RFC 9110).

    `now` is in seconds since 1970 UTC. None where it asks for nothing, or for nothing that can be read.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    return _until(text, now=now) if seconds is None else seconds


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) and number >= 0 else None


def _until(text: str | None, *, now: float) -> float | None:
    try:
        when = parsedate_to_datetime(text or "")
        # HTTP knows no zone but UTC, so a date without one is in it.
        seconds = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, seconds - now)
