"""A gateway behind a real child over stdio: the child relays its pipes to a socket of this process."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from marg_harness.tool_wire.fault import ToolWireFault
from marg_harness.tool_wire.gateway import Gateway, Schedule
from marg_harness.tool_wire.relay import CLOSE_STDOUT
from marg_runtime.tools.source import StdioServer

RELAY = Path(__file__).with_name("relay.py")
NO_MESSAGE = b"Listening on port 80\n"


@asynccontextmanager
async def serve_stdio(gateway: Gateway, schedule: Schedule) -> AsyncIterator[StdioServer]:
    """The command of the child while its socket is served."""
    server = _Server(gateway, schedule)
    served = await asyncio.start_server(server.handle, "127.0.0.1", 0)
    async with served:
        port = served.sockets[0].getsockname()[1]
        yield StdioServer(command=sys.executable, args=("-I", "-S", str(RELAY), str(port)))


class _Server:
    """One child: a line is a message, and each is answered as soon as it can be."""

    def __init__(self, gateway: Gateway, schedule: Schedule) -> None:
        self._gateway = gateway
        self._schedule = schedule

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answering: set[asyncio.Task[None]] = set()
        try:
            while line := await reader.readline():
                task = asyncio.create_task(self._answer(json.loads(line), writer))
                answering.add(task)
                task.add_done_callback(answering.discard)
        except OSError:
            pass  # the child died; whoever started it has seen that
        finally:
            for task in tuple(answering):
                task.cancel()
            writer.close()

    async def _answer(self, asked: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        fault = self._schedule.of(asked)
        if fault is not None and await _broken(fault, writer):
            return
        said = await self._gateway.answer(asked, fault)
        if said is not None:
            writer.write(json.dumps(said).encode() + b"\n")
            await writer.drain()


async def _broken(fault: ToolWireFault, writer: asyncio.StreamWriter) -> bool:
    """Play a fault; gives whether there is no answer to be sent any more."""
    match fault.kind:
        case "died":
            writer.close()
            return True
        case "closed":
            writer.write(CLOSE_STDOUT)
            return True
        case "babble":
            writer.write(NO_MESSAGE)
            return True
        case "hang":
            if fault.seconds is not None:
                await asyncio.sleep(fault.seconds)
            return fault.seconds is None
    return False
