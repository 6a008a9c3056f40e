"""A call in a thread of its own, which nobody has to wait for: neither the event loop as it closes nor the process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import TypeVar

_T = TypeVar("_T")


async def in_own_thread(call: Callable[..., _T], *arguments: object) -> _T:
    """What the call gives; raises what it raises. Where the wait for it is given up, it goes on and nobody hears of it.

    A thread of a pool would be waited for at the end of the loop, for ever where the call never comes back.
    """
    loop, context = asyncio.get_running_loop(), copy_context()
    done: asyncio.Future[_T] = loop.create_future()

    def run() -> None:
        try:
            answer = context.run(call, *arguments)
        except BaseException as error:
            told(partial(done.set_exception, _raisable(error)))
        else:
            told(partial(done.set_result, answer))

    def told(tell: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if done.done() else tell())

    threading.Thread(target=run, name=f"marg {call!r}", daemon=True).start()
    return await done


def _raisable(error: BaseException) -> BaseException:
    """The error as a future takes it: a `StopIteration`, of a scripted model that has run out, is none of those."""
    if not isinstance(error, StopIteration):
        return error
    raisable = RuntimeError("StopIteration: an iterator had no more")
    raisable.__traceback__ = error.__traceback__
    return raisable
