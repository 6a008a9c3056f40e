"""Tests of stores: entries to append, and what runs the coroutines of a test on one loop."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from marg_runtime.events.turn import LineSaid
from marg_runtime.ledger import Entry

_T = TypeVar("_T")


def entry(revision: int, *, at: int = 0) -> Entry:
    """A line that was said."""
    return Entry(revision=revision, turn=0, at=at, event=LineSaid(text=f"line {revision}"))


class Run(Protocol):
    """Runs what a test does with its store, on one loop."""

    def __call__(self, coro: Coroutine[Any, Any, _T], /) -> _T: ...
