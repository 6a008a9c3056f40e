"""Where work began that runs in a thread or a task of its own: the `file:line` of whoever gave it away.

A pool's thread, or a task that an SDK starts, has no frame of its caller's on the stack. While the block runs, the
three ways in which Python gives work away note that place: a started thread, a submitted call, a created task.
"""

from __future__ import annotations

import asyncio
import functools
import sys
import sysconfig
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any
from weakref import WeakKeyDictionary

from marg_harness.patched import Patched, Undo
from marg_harness.paths import shown_path

_HARNESS = str(Path(__file__).parent)
_LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
_PASSED = (__file__, *(str(Path(__file__).with_name(f"{name}.py")) for name in ("network_guard", "open_sockets")))

_LOOP_RUNS = asyncio.Handle._run.__code__  # the frame in which an event loop takes one step of a task
_LOOP_SPACE = asyncio.Handle._run.__globals__


@dataclass(frozen=True, slots=True)
class _Place:
    """A file as its code names it, and a line: put in words only where somebody asks, since every task has one."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{shown_path(Path(self.file))}:{self.line}"


_tasks: WeakKeyDictionary[asyncio.Task[Any], _Place] = WeakKeyDictionary()
_threads: WeakKeyDictionary[threading.Thread, _Place] = WeakKeyDictionary()
_running = threading.local()


def origin() -> str | None:
    """The innermost frame that is no library's and that lies above the harness, as `file:line`; where there is none,
    that of whoever gave the work away; None where nobody knows."""
    place = _origin()
    return None if place is None else str(place)


def _origin() -> _Place | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        # A frame's code is told to every audit hook, its globals are not; so most frames are known by these.
        space = frame.f_globals
        if space is _LOOP_SPACE or not _is_library(space.get("__file__")):
            code = frame.f_code
            kind = _kind(code.co_filename)
            if kind == "own":
                return _Place(code.co_filename, frame.f_lineno)
            if kind == "harness":
                break
            if code is _LOOP_RUNS and (inherited := _inherited()) is not None:
                # Below lies whoever runs the loop, who need not be who gave it this task.
                return inherited
        frame = frame.f_back
    return _inherited()


def origins_noted() -> AbstractContextManager[None]:
    """Note where work is given away, in this process, while the block runs."""
    return _patched.block()


@lru_cache(maxsize=4096)
def _kind(filename: str) -> str:
    if filename in _PASSED or filename.startswith(("<", *_LIBRARIES)):
        return "library"
    return "harness" if Path(filename).is_relative_to(_HARNESS) else "own"


def _is_library(file: object) -> bool:
    """Whether a module of this file is a library's; what is run from a text has none."""
    return isinstance(file, str) and _kind(file) == "library"


def _inherited() -> _Place | None:
    given: _Place | None = getattr(_running, "origin", None)
    if given is not None:
        return given
    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    found = _tasks.get(task) if task is not None else None
    return found or _threads.get(threading.current_thread())


def _note() -> Sequence[Undo]:
    """Put a note-taker before each of the three."""
    undo: list[Undo] = []
    start, submit, create = threading.Thread.start, ThreadPoolExecutor.submit, asyncio.BaseEventLoop.create_task

    @functools.wraps(start)
    def noted_start(self: threading.Thread) -> None:
        place = _origin()
        if place is not None:
            _threads[self] = place
        start(self)

    def noted_submit(self: ThreadPoolExecutor, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        return submit(self, _Given(call, _origin()), *args, **options)

    @functools.wraps(create)
    def noted_create(self: asyncio.BaseEventLoop, work: Coroutine[Any, Any, Any], **options: Any) -> asyncio.Task[Any]:
        place = _origin()
        task = create(self, work, **options)
        if place is not None:
            _tasks[task] = place
        return task

    for owner, name, noted, before in (
        (threading.Thread, "start", noted_start, start),
        (ThreadPoolExecutor, "submit", noted_submit, submit),
        (asyncio.BaseEventLoop, "create_task", noted_create, create),
    ):
        setattr(owner, name, noted)
        undo.append(functools.partial(setattr, owner, name, before))
    return undo


_patched = Patched(_note)


class _Given:
    """A call that was submitted, and where."""

    def __init__(self, call: Callable[..., Any], place: _Place | None) -> None:
        self._call = call
        self._place = place

    def __call__(self, *args: Any, **options: Any) -> Any:
        before = getattr(_running, "origin", None)
        _running.origin = self._place
        try:
            return self._call(*args, **options)
        finally:
            _running.origin = before
