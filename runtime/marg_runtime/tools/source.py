"""What can be connected to, and the SDK's client for it with our own ears on the wire."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from marg_runtime.errors import UsageError
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.tools.ear import Ear, Heard

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from mcp import Client
    from mcp.client.stdio import StdioServerParameters
    from mcp.server import MCPServer, Server

# As the SDK's own client has them: a server may hold a response stream open for minutes.
HTTP_SECONDS = 30.0
HTTP_READ_SECONDS = 300.0


@dataclass(frozen=True, kw_only=True)
class StdioServer:
    """A server to start as a child and talk to over its stdin and stdout.

    The child gets the handful of variables that the SDK holds safe (PATH, HOME and their like), those of `env`, and
    the write flag of our own process where that is set. Rule G8: the flag never comes from a configuration, so an
    `env` that holds it raises `UsageError`.
    """

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if WRITE_FLAG in self.env:
            raise UsageError(
                f"{WRITE_FLAG} is not taken from a server's env (here {self.env[WRITE_FLAG]!r}): "
                f"set it in the environment of the process that runs Marg"
            )


Source: TypeAlias = "MCPServer[Any] | Server[Any] | StdioServer | str"


def client_of(source: Source, heard: Heard) -> Client:
    """A client of the SDK's for a source, not yet entered; what comes over the wire is noted in `heard`.

    Raises UsageError where the SDK is not installed.
    """
    try:
        from mcp import Client
        from mcp.client.stdio import stdio_client
    except ImportError as error:
        raise UsageError("MCP servers need the extra 'mcp': pip install 'marg[mcp]'") from error
    if isinstance(source, str):
        return Client(_overheard(_http(source, heard), heard), cache=None, message_handler=heard.take)
    if isinstance(source, StdioServer):
        # The interpreter's own stderr: whatever stands in for sys.stderr (a notebook, a test) may have no descriptor.
        pipes = stdio_client(_parameters(source), errlog=sys.__stderr__ or sys.stderr)
        return Client(_overheard(pipes, heard), cache=None, message_handler=heard.take)
    return Client(source, cache=None)


def _parameters(server: StdioServer) -> StdioServerParameters:
    from mcp.client.stdio import StdioServerParameters

    flag = {WRITE_FLAG: os.environ[WRITE_FLAG]} if WRITE_FLAG in os.environ else {}
    return StdioServerParameters(command=server.command, args=list(server.args), env={**server.env, **flag})


@asynccontextmanager
async def _http(url: str, heard: Heard) -> AsyncIterator[Any]:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    timeout = httpx2.Timeout(HTTP_SECONDS, read=HTTP_READ_SECONDS)
    async with (
        httpx2.AsyncClient(timeout=timeout, event_hooks={"response": [heard.response]}) as client,
        streamable_http_client(url, http_client=client) as streams,
    ):
        yield streams


@asynccontextmanager
async def _overheard(transport: AbstractAsyncContextManager[Any], heard: Heard) -> AsyncIterator[Any]:
    async with transport as (read, write):
        yield Ear(read, heard), write
