"""Serving an agent over HTTP on a socket: in this event loop, in a thread of its own, or until a signal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from importlib import import_module
from typing import Any

from marg_runtime.errors import UsageError
from marg_runtime.gateway.agent import Agent

LOOPBACK = "127.0.0.1"
LOCAL_NAMES = ("127.0.0.1", "localhost")
CLOSING_SECONDS = 2

OpensAgent = Callable[[], AbstractAsyncContextManager[Agent]]
"""Opens the agent in the event loop that it is served in."""


@asynccontextmanager
async def serve(agent: Agent, *, host: str = LOOPBACK, port: int = 0) -> AsyncIterator[str]:
    """Serve an agent until the block is left; gives its address, `http://HOST:PORT`. Port 0 is any that is free.

    On loopback it answers only to the names of this machine. Raises UsageError for an address that cannot be had, or
    where the extra `serve` is missing.
    """
    server, listening = _server(agent, host=host, port=port)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        while not server.started and not running.done():
            await asyncio.sleep(0)
        yield f"http://{_written(host)}:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
        listening.close()


@contextmanager
def serve_in_thread(opens: OpensAgent, *, host: str = LOOPBACK, port: int = 0) -> Iterator[str]:
    """The same for clients that block, or that have a loop of their own: the agent lives in a thread beside them."""
    opened: list[str | BaseException] = []
    ready, leave = threading.Event(), threading.Event()

    async def run() -> None:
        async with opens() as agent, serve(agent, host=host, port=port) as address:
            opened.append(address)
            ready.set()
            await asyncio.to_thread(leave.wait)

    def main() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            opened.append(error)
            ready.set()

    thread = threading.Thread(target=main, name="marg gateway", daemon=True)
    thread.start()
    ready.wait()
    try:
        if isinstance(opened[0], BaseException):
            raise opened[0]
        yield opened[0]
    finally:
        leave.set()
        thread.join()


def serve_forever(opens: OpensAgent, *, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is told the address as soon as it listens. Raises UsageError."""

    async def run() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        async with opens() as agent, serve(agent, host=host, port=port) as address:
            on_ready(address)
            await stop.wait()

    asyncio.run(run())


def _server(agent: Agent, *, host: str, port: int) -> tuple[Any, socket.socket]:
    try:
        uvicorn, app = import_module("uvicorn"), import_module("marg_runtime.gateway.app")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"no module {error.name!r}: a gateway needs the extra serve: pip install 'marg[serve]'"
        ) from None
    hosts = LOCAL_NAMES if host in LOCAL_NAMES else ("*",)
    config = uvicorn.Config(
        app.gateway(agent, hosts=hosts),
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    return _quiet(uvicorn)(config), _listening(host, port)


def _quiet(uvicorn: Any) -> Any:
    """uvicorn's server without its signal handlers: they belong to whoever runs the loop."""

    class Quiet(uvicorn.Server):  # type: ignore[misc]
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    return Quiet


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot listen at {host!r}, port {port!r}: {reason}; name another host or port") from None
    return listening


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host
