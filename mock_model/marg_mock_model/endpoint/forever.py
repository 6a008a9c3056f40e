"""A server that runs until the process is told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, ExitStack
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from marg_mock_model.endpoint.endpoint import LOOPBACK, Endpoint, serve
from marg_mock_model.endpoint.listener import HttpParser
from marg_mock_model.machine import Machine
from marg_runtime.uncollected import uncollected

ServedT = TypeVar("ServedT")


def serve_forever(
    machine: Machine | Path | str,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    faults: str | None = None,
    seed: int = 0,
    journal: Path | None = None,
    http: HttpParser = "auto",
    on_ready: Callable[[Endpoint], None],
) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is told the endpoint as soon as it listens. Raises UsageError."""
    serving = serve(machine, host=host, port=port, faults=faults, seed=seed, journal=journal, http=http)
    run_until_stopped(serving, on_ready=on_ready)


def run_until_stopped(serving: AbstractAsyncContextManager[ServedT], *, on_ready: Callable[[ServedT], None]) -> None:
    """Run what is served until SIGINT or SIGTERM, and close it; `on_ready` is told it as soon as it is open.

    The collector rests until then: what is imported and read on the way is kept, and looking at it takes long.
    """
    resting = ExitStack()

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        async with serving as served:
            resting.close()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, stop.set)
            on_ready(served)
            await stop.wait()

    with resting:
        resting.enter_context(uncollected(keep=True))
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(run())


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's where it is installed, as uvicorn does; None is asyncio's own."""
    if find_spec("uvloop") is None:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return factory
