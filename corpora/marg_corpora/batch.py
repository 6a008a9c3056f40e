"""A batch of lines: the unit of work that any process, on this machine or another, can score alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from marg_corpora.corpus_file import numbered_lines
from marg_corpora.errors import CorpusError
from marg_corpora.line import parse_line
from marg_corpora.partial import Partial, collect
from marg_corpora.plan import Plan
from marg_corpora.record_reader import RecordReader

BATCH_LINES = 2000
"""Lines of a batch: enough that sending them costs little beside reading them."""

MakeReaders = Callable[[tuple[str, ...]], Sequence[RecordReader]]
"""Makes readers by their names; importable by name, so that another process can call it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Lines of one file, the first of which is number `first`."""

    path: str
    first: int
    lines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A line that is no record, told as a value: an error does not survive the way between processes."""

    path: str
    line: int
    message: str

    def error(self) -> CorpusError:
        """Give the error to raise."""
        return CorpusError(self.message, path=self.path, line=self.line)


def batches_of(path: Path, *, watch: Callable[[int], None] | None = None) -> Iterator[Batch]:
    """Cut a file into batches. Raises what `read_records` raises, but for lines that are no records."""
    first, lines = 1, list[bytes]()
    for number, line in numbered_lines(path, watch=watch):
        lines.append(line)
        if len(lines) == BATCH_LINES:
            yield Batch(path=str(path), first=first, lines=tuple(lines))
            first, lines = number + 1, []
    if lines:
        yield Batch(path=str(path), first=first, lines=tuple(lines))


def score_batch(batch: Batch, *, readers: tuple[str, ...], make_readers: MakeReaders, plan: Plan) -> Partial | Trouble:
    """Score one batch: a pure function of what it is given, for any engine that maps one over many."""
    records = (
        parse_line(line, path=batch.path, number=number) for number, line in enumerate(batch.lines, start=batch.first)
    )
    try:
        return collect(records, readers=_made(make_readers, readers), plan=plan)
    except CorpusError as error:
        message = str(error).removeprefix(f"{error.path}:{error.line}: ")
        return Trouble(path=error.path, line=error.line, message=message)


@lru_cache(maxsize=8)
def _made(make_readers: MakeReaders, names: tuple[str, ...]) -> Sequence[RecordReader]:
    """Make readers once for all batches of a process; those of third parties are slow to make."""
    return make_readers(names)
