"""Opening a backend's tools over a real wire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from marg_harness.tool_wire.fault import parse_tool_faults
from marg_harness.tool_wire.gateway import Gateway, Schedule
from marg_harness.tool_wire.http_server import serve_http
from marg_harness.tool_wire.stdio_server import serve_stdio
from marg_runtime.canonical import Json
from marg_runtime.errors import UsageError
from marg_runtime.tools.mcp import McpTools
from marg_runtime.wire import WireSink


@dataclass(frozen=True, kw_only=True)
class OverToolWire:
    """A wire to the tools. faults: a schedule, as `marg replay --tool-faults` takes it; the transport follows from it.

    timeout: seconds for an answer; None is what the runtime itself does, so that a change of it shows.
    """

    faults: str
    timeout: float | None = None

    def settings(self) -> dict[str, Json]:
        """What was asked for, as a run's record has it."""
        timeout: dict[str, Json] = {} if self.timeout is None else {"tool_timeout": self.timeout}
        return {"tool_faults": self.faults, **timeout}


@asynccontextmanager
async def open_tools(
    sources: Mapping[str, Any], over: OverToolWire, *, seed: int, wire: WireSink
) -> AsyncIterator[McpTools]:
    """The tools of a backend in this process, over the wire that the faults need; raises UsageError without the SDK."""
    faults = parse_tool_faults(over.faults, seed=seed)
    schedule = Schedule(faults=faults)
    serve = serve_http if faults.transport == "http" else serve_stdio
    async with AsyncExitStack() as stack:
        served: dict[str, Any] = {}
        for name, source in sources.items():
            gateway = Gateway(await stack.enter_async_context(_client(source)))
            served[name] = await stack.enter_async_context(serve(gateway, schedule))
        limits = {} if over.timeout is None else {"timeout": over.timeout}
        yield await stack.enter_async_context(McpTools(served, wire=wire, **limits))


def _client(source: Any) -> Any:
    try:
        from mcp import Client
    except ImportError as error:
        raise UsageError("MCP servers need the extra 'mcp': pip install 'marg[mcp]'") from error
    return Client(source, cache=None)
