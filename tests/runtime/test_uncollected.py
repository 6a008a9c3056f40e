"""The collector rests while much is imported, and works again afterwards."""

from __future__ import annotations

import gc
import weakref
from contextlib import suppress

from marg_runtime.uncollected import WHOLE_LOOK, collected_after, uncollected


def test_the_collector_rests_within_the_block_and_works_again_behind_it() -> None:
    with uncollected():
        within = gc.isenabled()
    assert (within, gc.isenabled()) == (False, True)


def test_the_collector_works_again_after_an_error() -> None:
    with suppress(ValueError), uncollected():
        raise ValueError
    assert gc.isenabled()


def test_only_what_was_there_after_the_first_block_is_kept_for_good() -> None:
    with uncollected(keep=True):
        pass
    kept = gc.get_freeze_count()
    later = [[number] for number in range(1000)]
    with uncollected(keep=True):
        pass
    assert (kept > 0, gc.get_freeze_count() <= kept, len(later)) == (True, True, 1000)


class Node:
    """Something that only the collector can take away."""

    def __init__(self) -> None:
        self.itself = self


def test_the_garbage_of_a_block_is_gone_when_it_ends() -> None:
    with collected_after():
        known = weakref.ref(Node())
        within = known() is not None
    assert (within, known()) == (True, None)


def test_the_collector_rests_within_a_block_that_is_cleared_at_its_end() -> None:
    with collected_after():
        within = gc.isenabled()
    assert (within, gc.isenabled()) == (False, True)


def test_what_became_garbage_long_after_its_block_is_found_as_well() -> None:
    gc.collect()
    with collected_after():
        node = Node()
    known = weakref.ref(node)
    del node
    for _ in range(WHOLE_LOOK):
        with collected_after():
            pass
    assert known() is None


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        with collected_after():
            known = weakref.ref(Node())
        assert (gc.isenabled(), known() is None) == (False, False)
    finally:
        gc.enable()
