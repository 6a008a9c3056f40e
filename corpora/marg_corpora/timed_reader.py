"""A reader with a stopwatch: how many replies per second it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from marg_corpora.record_reader import RecordReader, Verdict
from marg_runtime import Question


@dataclass(slots=True, kw_only=True)
class TimedReader:
    """Any reader, with the time that its readings took; what is not reading (parsing, counting) is not timed."""

    reader: RecordReader
    clock: Callable[[], float] = perf_counter
    replies: int = 0
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """The name of the reader itself."""
        return self.reader.name

    @property
    def replies_per_second(self) -> float | None:
        """The rate so far; None before anything was timed."""
        return self.replies / self.seconds if self.seconds else None

    def read(self, reply: str, question: Question, *, language: str) -> Verdict:
        """Read one reply and time it."""
        start = self.clock()
        verdict = self.reader.read(reply, question, language=language)
        self.seconds += self.clock() - start
        self.replies += 1
        return verdict
