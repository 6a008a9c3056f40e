"""The store that a command works on: its option, and its opening and closing around the work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from marg_runtime.errors import UsageError
from marg_runtime.store import Store, open_store

_T = TypeVar("_T")
Decorated = TypeVar("Decorated", bound=Callable[..., Any])

SQLITE_FILE = "sqlite:///"


def store_option(command: Decorated) -> Decorated:
    """Add `--store` to a command; `MARG_STORE` gives it, too, which keeps a password out of the list of processes."""
    option = click.option(
        "--store", "url", required=True, metavar="URL", envvar="MARG_STORE", help="The store (default: MARG_STORE)."
    )
    return option(command)


def with_store(url: str, work: Callable[[Store], Awaitable[_T]]) -> _T:
    """Open the store of a URL, do the work, and close it.

    Raises UsageError for a file that is not there: a command that looks for sessions makes no database.
    """
    path = url.removeprefix(SQLITE_FILE).partition("?")[0]
    if url.startswith(SQLITE_FILE) and path and not Path(path).is_file():
        raise UsageError(f"no file {path!r}; a store is made by the first process that serves sessions from it")

    async def working() -> _T:
        store = await open_store(url)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(working())


def day(at: int) -> str:
    """A time in milliseconds since 1970 UTC as ISO 8601, to the second."""
    try:
        return datetime.fromtimestamp(at / 1000, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return str(at)  # the clock of a client may say anything
