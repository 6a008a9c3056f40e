"""Work that makes much and leaves no garbage, without the collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected(*, keep: bool = False) -> Iterator[None]:
    """Let the cyclic collector rest while the block runs. keep: what is there after the first such block stays for
    good; the collector never looks at it again, where it would look at all of it every few scenarios."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
        if keep and not gc.get_freeze_count():
            gc.freeze()
    finally:
        if was_on:
            gc.enable()
