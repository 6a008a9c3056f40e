"""Slices of a level in processes of their own, forked so that each has all that is known so far."""

from __future__ import annotations

import multiprocessing
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized

from marg_runtime.errors import SliceFailed
from marg_runtime.explore.slice import Part

Explore = Callable[[Iterable[int]], Part]

SHORTEST = 8  # nodes of a stretch
SHARE = 2  # of what is left each process would get, a stretch is one part in so many


def can_fork() -> bool:
    """Whether this system can fork; where it cannot, a level is played in one process."""
    return "fork" in multiprocessing.get_all_start_methods()


@dataclass(frozen=True, kw_only=True)
class Stretches:
    """The places of a level, cut into stretches that processes take one after the other; `taken` is theirs together.

    Neighbours in a level lead to much that is the same, so a stretch is long, or two processes would play from the same
    nodes; and the last ones are short, or one would wait for the other.
    """

    stretches: tuple[range, ...]
    taken: Synchronized[int]

    def __iter__(self) -> Iterator[int]:
        while True:
            with self.taken.get_lock():
                number, self.taken.value = self.taken.value, self.taken.value + 1
            if number >= len(self.stretches):
                return
            yield from self.stretches[number]


def stretches(places: int, *, jobs: int) -> tuple[range, ...]:
    """Stretches that cover the places in their order, each shorter than the one before."""
    found, begin = list[range](), 0
    while begin < places:
        end = min(places, begin + max(SHORTEST, (places - begin) // (SHARE * jobs)))
        found.append(range(begin, end))
        begin = end
    return tuple(found)


def in_slices(explore: Explore, *, places: int, jobs: int) -> list[Part]:
    """What `explore` gives for the places of a level, in so many processes, this one among them.

    Raises SliceFailed where another process did not come to its end.
    """
    context = multiprocessing.get_context("fork")
    shared = Stretches(stretches=stretches(places, jobs=jobs), taken=context.Value("q", 0))
    others: list[tuple[BaseProcess, Connection]] = []
    for _ in range(1, jobs):
        receiving, sending = context.Pipe(duplex=False)
        process: BaseProcess = context.Process(target=_work, args=(explore, shared, sending), daemon=True)
        process.start()
        sending.close()
        others.append((process, receiving))
    try:
        parts = [explore(shared)]
        parts.extend(_received(receiving) for _, receiving in others)
    finally:
        for process, receiving in others:
            receiving.close()
            process.kill()
            process.join()
    return parts


def _work(explore: Explore, starts: Stretches, sending: Connection) -> None:
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
