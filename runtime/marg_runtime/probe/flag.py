"""The write flag for a probe: on for as long as it writes, in this process and in a child that it starts meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from marg_runtime.gate import WRITE_FLAG


@contextmanager
def write_flag(value: str | None) -> Iterator[None]:
    """Set the write flag, or remove it for None, while the block runs; then put it back as it was.

    A server in memory reads it in this process, and a child is given this process's own (rule G8). So nothing else
    that writes may run in the process meanwhile.
    """
    before = os.environ.get(WRITE_FLAG)
    _set(value)
    try:
        yield
    finally:
        _set(before)


def _set(value: str | None) -> None:
    os.environ.pop(WRITE_FLAG, None)
    if value is not None:
        os.environ[WRITE_FLAG] = value
