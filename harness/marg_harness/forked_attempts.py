"""Attempts of a process that was forked while the guard looked: it has the guard, and a memory of its own.

What is stopped there is written into a file without a name that both processes have open, and read by the one that
replays; so a child that catches the error does not hide the attempt.
"""

from __future__ import annotations

import os
import tempfile


class ForkedAttempts:
    """The file, of the process that replays: a process that was forked from it and replays too has one of its own."""

    def __init__(self) -> None:
        self._owner = 0
        self._file = -1

    def here(self) -> int:
        """How much is written so far; makes this process the one that reads."""
        if self._owner != os.getpid():
            self._owner = os.getpid()
            with tempfile.TemporaryFile() as file:
                self._file = os.dup(file.fileno())
        return os.fstat(self._file).st_size

    def write(self, attempt: str) -> None:
        """Put an attempt into the file, where this is a process that was forked."""
        if self._owner != os.getpid():
            os.write(self._file, attempt.replace("\n", " ").encode("utf-8", "replace") + b"\n")

    def after(self, place: int) -> list[str]:
        """What was written since."""
        size = os.fstat(self._file).st_size
        return os.pread(self._file, size - place, place).decode("utf-8").splitlines() if size > place else []
