"""Work that makes much and leaves no garbage, without the collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Let the collector rest while the block runs. What is there after the first block stays for good: the collector
    never looks at it again, where it would look at all of it every few scenarios."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
        if not gc.get_freeze_count():
            gc.freeze()
    finally:
        if was_on:
            gc.enable()
