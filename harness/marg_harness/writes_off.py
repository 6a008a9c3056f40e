"""Writes off: the flag is taken from the environment of this process and of all that it starts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from marg_runtime.gate import WRITE_FLAG


@contextmanager
def writes_off() -> Iterator[None]:
    """Remove the write flag while the block runs, even where the caller set it; then put it back as it was."""
    before = os.environ.pop(WRITE_FLAG, None)
    try:
        yield
    finally:
        os.environ.pop(WRITE_FLAG, None)
        if before is not None:
            os.environ[WRITE_FLAG] = before
