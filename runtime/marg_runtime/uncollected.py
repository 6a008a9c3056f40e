"""Work without the collector: what leaves no garbage, and what leaves all of its garbage when it ends."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Iterator
from contextlib import contextmanager

WHOLE_LOOK = 100
"""Blocks after which the collector looks at everything, not at what is new alone: a look takes as long as a scenario
does, and what outlives its block is seldom garbage later."""
_YOUNG, _ALL = 1, 2
_blocks = itertools.count(1)


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


@contextmanager
def collected_after() -> Iterator[None]:
    """Let the cyclic collector rest while the block runs, and take its garbage away when it ends: in its midst most of
    what is new lives still, and to look at it again and again finds nothing. Where the collector is off, it stays so.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.collect(_ALL if next(_blocks) % WHOLE_LOOK == 0 else _YOUNG)
            gc.enable()
