"""No network while a scenario is replayed: whatever tries is stopped at the socket, and named by file and line.

The guard is an audit hook of the interpreter, below every client library; one that patched a library would miss the
others. asyncio's own pair of sockets is made without connecting or binding here, so it needs no exception.
"""

from __future__ import annotations

import sys
import sysconfig
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from marg_harness.errors import NetworkForbidden

FORBIDDEN = frozenset(
    {
        "socket.connect",
        "socket.bind",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.getnameinfo",
    }
)

_LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


class _Guard:
    """The one hook of the process: an audit hook cannot be removed, so it is installed once and switched."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held = 0
        self._installed = False

    def hold(self, by: int) -> None:
        with self._lock:
            self._held += by
            if not self._installed:
                sys.addaudithook(self._hook)
                self._installed = True

    def _hook(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._held and event in FORBIDDEN:
            target = (
                arguments[1] if event.startswith(("socket.connect", "socket.bind", "socket.send")) else arguments[0]
            )
            raise NetworkForbidden(
                f"{_caller()}: {event} to {target!r} while a scenario is replayed; a replay needs no network, "
                "so make the domain's backend an in-memory one"
            )


_GUARD = _Guard()


@contextmanager
def no_network() -> Iterator[None]:
    """Raise NetworkForbidden at every connect, bind, datagram and name lookup of this process, in any thread."""
    _GUARD.hold(1)
    try:
        yield
    finally:
        _GUARD.hold(-1)


def _caller() -> str:
    """The innermost frame outside the standard library and the installed packages, as `file:line`."""
    frames = traceback.extract_stack()
    own = [frame for frame in frames if not _is_library(frame.filename)]
    frame = (own or frames)[-1]
    return f"{frame.filename}:{frame.lineno}"


def _is_library(filename: str) -> bool:
    return filename.startswith(("<", *_LIBRARIES)) or Path(filename) == Path(__file__)
