"""Scoring in several processes: the same counts as in one, sooner."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import partial

from marg_corpora.batch import Batch, MakeReaders, Trouble, score_batch
from marg_corpora.errors import CorpusError
from marg_corpora.partial import Partial
from marg_corpora.plan import Plan

AHEAD = 3
"""Batches in flight for each process: enough to keep it busy, few enough for constant memory."""

Result = Partial | Trouble


def collect_in_parallel(
    batches: Iterable[Batch], *, readers: tuple[str, ...], make_readers: MakeReaders, plan: Plan, jobs: int
) -> Partial:
    """Score batches in `jobs` processes and add them up in order, so that the result does not depend on `jobs`.

    Raises CorpusError for the first line, in order, that is no record, and what reading the batches raises.
    """
    work = partial(score_batch, readers=readers, make_readers=make_readers, plan=plan)
    # A fresh interpreter for each process: a copy of this one would copy the threads of the progress bar in mid-air.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=jobs, mp_context=context) as pool:
        try:
            return _sum(_in_order(batches, work=work, pool=pool, ahead=jobs * AHEAD))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _in_order(batches: Iterable[Batch], *, work: partial[Result], pool: Executor, ahead: int) -> Iterator[Result]:
    waiting: deque[Future[Result]] = deque()
    late: CorpusError | None = None
    try:
        for batch in batches:
            waiting.append(pool.submit(work, batch))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
    except CorpusError as error:
        # A line before the break may be wrong, too, and that is then the first trouble.
        late = error
    while waiting:
        yield waiting.popleft().result()
    if late is not None:
        raise late


def _sum(results: Iterable[Result]) -> Partial:
    whole: Partial | None = None
    for result in results:
        if isinstance(result, Trouble):
            raise result.error()
        whole = result if whole is None else whole + result
    return whole or Partial()
