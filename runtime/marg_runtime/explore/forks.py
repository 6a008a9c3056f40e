"""Slices of a level in processes of their own, forked so that each has all that is known so far."""

from __future__ import annotations

import multiprocessing
import pickle
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from marg_runtime.errors import SliceFailed
from marg_runtime.explore.slice import Part

Explore = Callable[[Sequence[int]], Part]


def can_fork() -> bool:
    """Whether this system can fork; where it cannot, a level is played in one process."""
    return "fork" in multiprocessing.get_all_start_methods()


def in_slices(explore: Explore, *, places: int, jobs: int) -> list[Part]:
    """What `explore` gives for the places of a level, dealt out in turn to so many processes, this one among them.

    Raises SliceFailed where another process did not come to its end.
    """
    context = multiprocessing.get_context("fork")
    others: list[tuple[BaseProcess, Connection]] = []
    for job in range(1, jobs):
        receiving, sending = context.Pipe(duplex=False)
        process: BaseProcess = context.Process(
            target=_work, args=(explore, range(job, places, jobs), sending), daemon=True
        )
        process.start()
        sending.close()
        others.append((process, receiving))
    try:
        parts = [explore(range(0, places, jobs))]
        parts.extend(_received(receiving) for _, receiving in others)
    finally:
        for process, receiving in others:
            receiving.close()
            process.kill()
            process.join()
    return parts


def _work(explore: Explore, starts: Sequence[int], sending: Connection) -> None:
    try:
        result: Part | str = explore(starts)
    except Exception:
        result = traceback.format_exc()
    sending.send_bytes(pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL))
    sending.close()


def _received(receiving: Connection) -> Part:
    try:
        result = pickle.loads(receiving.recv_bytes())
    except EOFError as error:
        raise SliceFailed("a process of the exploration ended before it had a result; use --jobs 1") from error
    if not isinstance(result, Part):
        raise SliceFailed(f"a process of the exploration failed:\n{result}")
    return result
