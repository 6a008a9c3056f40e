"""Counting the readings of several files, in one process or in many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from marg_corpora import Plan, RecordReader
from marg_corpora.batch import Batch, batches_of
from marg_corpora.parallel import collect_in_parallel
from marg_corpora.partial import Partial, collect
from marg_harness.cli.reader_choice import chosen_readers
from marg_harness.cli.record_stream import records_of, total_bytes, watch_on
from marg_harness.processors import processors

COMMAND = "marg"
BYTES_WORTH_A_PROCESS = 500_000
"""Bytes of corpus for which starting one more process pays; the process takes about half a second to start."""


def suitable_jobs(paths: tuple[Path, ...]) -> int:
    """Give the number of processes that help: one for each processor, but none for a small corpus.

    It is one where another program calls the command: a new process starts by importing that program, and one that is
    not written for it would start over.
    """
    if Path(sys.argv[0]).stem != COMMAND:
        return 1
    return max(1, min(processors(), total_bytes(paths) // BYTES_WORTH_A_PROCESS))


def count_files(
    paths: tuple[Path, ...],
    *,
    readers: Sequence[RecordReader],
    plan: Plan,
    jobs: int,
    watch: Callable[[int], None],
) -> Partial:
    """Count the readings of all files in `jobs` processes; the result does not depend on how many they are.

    Raises CorpusMissing and CorpusError for the first file and line that cannot be read.
    """
    if jobs == 1:
        return collect(records_of(paths, watch=watch), readers=readers, plan=plan)
    names = tuple(reader.name for reader in readers)
    batches = _batches(paths, watch=watch)
    return collect_in_parallel(batches, readers=names, make_readers=chosen_readers, plan=plan, jobs=jobs)


def _batches(paths: tuple[Path, ...], *, watch: Callable[[int], None]) -> Iterator[Batch]:
    before = 0
    for path in paths:
        yield from batches_of(path, watch=partial(watch_on, watch, before))
        before += path.stat().st_size
