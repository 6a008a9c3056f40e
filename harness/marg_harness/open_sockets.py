"""Sockets that were connected before the guard looked: what is sent on one names no address, and no hook hears of it.

While the block runs, the ways in which Python sends on a connected socket ask first. Only peers that may be another
machine are asked about: a socket to this machine's own debugger or worker goes on.
"""

from __future__ import annotations

import functools
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from marg_harness.patched import Patched, Undo

WAYS = ((socket.socket, "send"), (socket.socket, "sendall"), (ssl.SSLSocket, "send"), (ssl.SSLSocket, "write"))
NETWORKED = (socket.AF_INET, socket.AF_INET6)

Judge = Callable[[str, object], None]


def peer_of(sender: object) -> object:
    """The address of the other end of a socket; None where it has none, or where it cannot be another machine."""
    if not isinstance(sender, socket.socket) or sender.family not in NETWORKED:
        return None
    try:
        return sender.getpeername()
    except OSError:
        return None


class OpenSockets:
    """Asks `judge` for the event and the peer of whatever is sent on a connected socket."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._patched = Patched(self._put)

    def asked(self) -> AbstractContextManager[None]:
        """Ask, in this process, while the block runs."""
        return self._patched.block()

    def _put(self) -> Sequence[Undo]:
        return [undo for owner, name in WAYS for undo in self._patch(owner, name)]

    def _patch(self, owner: type[socket.socket], name: str) -> Sequence[Undo]:
        before = getattr(owner, name)
        inherited = name not in vars(owner)

        @functools.wraps(before)
        def asking(sender: socket.socket, *args: Any, **options: Any) -> Any:
            self._judge(f"socket.{name}", peer_of(sender))
            return before(sender, *args, **options)

        setattr(owner, name, asking)
        return [
            functools.partial(delattr, owner, name) if inherited else functools.partial(setattr, owner, name, before)
        ]
