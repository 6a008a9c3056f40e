"""The records of several files as one stream that tells how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from marg_corpora import Record, read_records


def total_bytes(paths: tuple[Path, ...]) -> int:
    """Give the size of all files in bytes."""
    return sum(path.stat().st_size for path in paths)


def records_of(paths: tuple[Path, ...], *, watch: Callable[[int], None]) -> Iterator[Record]:
    """Stream the records of all files in order; `watch` is told how many bytes of all of them are consumed.

    Raises what `read_records` raises.
    """
    before = 0
    for path in paths:
        yield from read_records(path, watch=partial(watch_on, watch, before))
        before += path.stat().st_size


def watch_on(watch: Callable[[int], None], before: int, position: int) -> None:
    """Tell `watch` a position in one file as a position in all of them, `before` bytes further."""
    watch(before + position)
