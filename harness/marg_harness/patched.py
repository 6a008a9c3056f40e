"""A library that is patched while any of several blocks runs, at once or within one another, and then as it was."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

Undo = Callable[[], None]


class Patched:
    """A patch of this process. put: makes it, and gives what takes it back, each in turn from the last."""

    def __init__(self, put: Callable[[], Sequence[Undo]]) -> None:
        self._put = put
        self._lock = threading.Lock()
        self._blocks = 0
        self._undo: Sequence[Undo] = ()

    @contextmanager
    def block(self) -> Iterator[None]:
        """The patch is there while the block runs: the first to begin puts it, the last to end takes it back."""
        with self._lock:
            self._blocks += 1
            if self._blocks == 1:
                self._undo = self._put()
        try:
            yield
        finally:
            with self._lock:
                self._blocks -= 1
                if not self._blocks:
                    for undo in reversed(self._undo):
                        undo()
