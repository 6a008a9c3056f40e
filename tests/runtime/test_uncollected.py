"""The collector rests while much is imported, and works again afterwards."""

from __future__ import annotations

import gc
from contextlib import suppress

from marg_runtime.uncollected import uncollected


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
