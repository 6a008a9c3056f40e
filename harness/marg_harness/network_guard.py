"""No network while a scenario is replayed: whatever tries is stopped at the socket, and named by file and line.

The guard is an audit hook of the interpreter, below every client library; one that patched a library would miss the
others. asyncio's own pair of sockets is made without connecting or binding here, so it needs no exception. A process
that is forked meanwhile has the guard too. Not seen is what no hook of this interpreter hears of: another program, and
a library whose sockets are made in C.
"""

from __future__ import annotations

import socket
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import NoReturn

from marg_harness.errors import NetworkForbidden
from marg_harness.forked_attempts import ForkedAttempts
from marg_harness.open_sockets import OpenSockets, peer_of
from marg_harness.origins import origin, origins_noted

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


class _Guard:
    """The one hook of the process: an audit hook cannot be removed, so it is installed once and switched."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watchers: list[list[str]] = []
        self._installed = False
        self.loopback = 0
        self.hosts: list[frozenset[str]] = []

    def watch(self, attempts: list[str]) -> None:
        with self._lock:
            self._watchers.append(attempts)
            if not self._installed:
                _install()
                self._installed = True

    def forget(self, attempts: list[str]) -> None:
        with self._lock:
            self._watchers = [watcher for watcher in self._watchers if watcher is not attempts]

    def judge(self, event: str, arguments: tuple[object, ...]) -> None:
        """Raise NetworkForbidden for what is not allowed while anybody watches."""
        if not self._watchers:
            return
        if event.startswith("socket.send") and arguments[1] is None:
            # A datagram or a message on a connected socket, as asyncio writes from Python 3.12 on.
            self.judge_peer(event, peer_of(arguments[0]))
            return
        target = arguments[1] if event.startswith(("socket.connect", "socket.bind", "socket.send")) else arguments[0]
        if not self._allowed(_host(target)):
            self._forbid(event, target)

    def judge_peer(self, event: str, peer: object) -> None:
        """The same for what is sent on a connected socket, where its peer is another machine."""
        if self._watchers and peer is not None and not _is_loopback(_host(peer)) and not self._allowed(_host(peer)):
            self._forbid(event, peer)

    def _forbid(self, event: str, target: object) -> NoReturn:
        attempt = f"{_caller()}: {event} to {target!r}"
        for watcher in self._watchers:
            watcher.append(attempt)
        _FORKED.write(attempt)
        raise NetworkForbidden(f"{attempt}; a replay needs no network, so make the domain's backend an in-memory one")

    def _allowed(self, host: str) -> bool:
        return bool(self.loopback and _is_loopback(host)) or any(host in hosts for hosts in self.hosts)


_FORKED = ForkedAttempts()
_GUARD = _Guard()
_OPEN = OpenSockets(_GUARD.judge_peer)


def _install() -> None:
    """Put the hook in. Each `id()` and each `f_code` comes through it, and a bound method would be four times slower:
    the interpreter asks a hook for an attribute that none has, and a method looks for it in two places."""
    judge, forbidden = _GUARD.judge, FORBIDDEN

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in forbidden:
            judge(event, arguments)

    sys.addaudithook(hook)


@contextmanager
def no_network() -> Iterator[list[str]]:
    """Raise NetworkForbidden at every connect, bind, datagram and name lookup of this process and of those that are
    forked from it, in any thread, and where something is sent to another machine on a socket that was open before.

    Yields the list of the attempts, each with its file and line: whoever catches the error does not hide the attempt.
    """
    attempts: list[str] = []
    place = _FORKED.here()
    _GUARD.watch(attempts)
    try:
        with guard_ready():
            yield attempts
    finally:
        _GUARD.forget(attempts)
        attempts += _FORKED.after(place)


@contextmanager
def guard_ready() -> Iterator[None]:
    """Have in place what the guard patches, for many blocks of `no_network` one after another: each would patch the
    same classes anew, and Python forget what it knew of them. On its own it forbids nothing."""
    with origins_noted(), _OPEN.asked():
        yield


@contextmanager
def loopback_allowed() -> Iterator[None]:
    """Let this process speak to itself while the block runs: a replay over the wire has its endpoint on loopback."""
    _GUARD.loopback += 1
    try:
        yield
    finally:
        _GUARD.loopback -= 1


@contextmanager
def hosts_allowed(*names: str) -> Iterator[None]:
    """Let this process speak to itself and to these hosts, and to nobody else, while the block runs.

    A name stands for the addresses that it has when the block is entered.
    """
    hosts = frozenset(names) | {address for name in names for address in _addresses(name)}
    _GUARD.hosts.append(hosts)
    try:
        with loopback_allowed():
            yield
    finally:
        _GUARD.hosts.remove(hosts)


def _addresses(name: str) -> list[str]:
    """The addresses of a name; none where it cannot be looked up, which whoever asks it will say."""
    allowed = frozenset({name})
    _GUARD.hosts.append(allowed)
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(name, None)]
    except OSError:
        return []
    finally:
        _GUARD.hosts.remove(allowed)


def _host(target: object) -> str:
    """The host of an address, or of a name to look up, as text."""
    host = target[0] if isinstance(target, tuple) and target else target
    return host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)


def _is_loopback(host: str) -> bool:
    """Whether an address, or a name to look up, is this machine's own."""
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)  # how a server of both families sees a peer of the older one
    return (mapped or address).is_loopback


def _caller() -> str:
    """Whoever tries, as `file:line`: the frame that `origin` finds, else the innermost one."""
    place = origin()
    if place is not None:
        return place
    frame = next(frame for frame in reversed(traceback.extract_stack()) if frame.filename != __file__)
    return f"{Path(frame.filename).name}:{frame.lineno} in the thread {threading.current_thread().name!r}"
