"""The MCP client over streamable HTTP, on loopback."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from mcp.server import MCPServer
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

from marg_runtime.errors import ToolError
from marg_runtime.tools.mcp import McpTools
from marg_runtime.tools.tool import ToolName

pytestmark = pytest.mark.anyio

HELLO = ToolName(server="s", name="hello")


@asynccontextmanager
async def served(app: Starlette) -> AsyncIterator[str]:
    """The address of an application while it is served on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        server.should_exit = True
        await serving


def greeter() -> Starlette:
    server: MCPServer[Any] = MCPServer("greeter", version="3", log_level="ERROR")

    @server.tool()
    async def hello() -> str:
        return "hello"

    return server.streamable_http_app()


async def test_a_server_at_a_url_lists_its_tools() -> None:
    async with served(greeter()) as url, McpTools({"s": url}) as tools:
        (spec,) = await tools.list()
    assert (spec.tool, spec.identity) == (HELLO, "greeter 3")


async def test_a_tool_of_a_server_at_a_url_is_called() -> None:
    async with served(greeter()) as url, McpTools({"s": url}) as tools:
        outcome = await tools.call(HELLO, {})
    assert outcome.text == "hello"


async def test_a_port_where_nobody_listens_is_a_tool_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ToolError, match="s: open: "):
        await McpTools({"s": f"http://127.0.0.1:{port}/mcp"}).__aenter__()


async def test_a_page_that_is_no_mcp_server_is_a_tool_error() -> None:
    async def page(_: object) -> HTMLResponse:
        return HTMLResponse("<p>Welcome</p>")

    async with served(Starlette(routes=[Route("/mcp", page, methods=["GET", "POST"])])) as url:
        with pytest.raises(ToolError, match="s: open: "):
            await McpTools({"s": url}, timeout=5).__aenter__()


async def test_a_server_that_went_away_is_a_tool_error() -> None:
    async with served(greeter()) as url:
        tools = McpTools({"s": url})
        await tools.__aenter__()
    try:
        with pytest.raises(ToolError, match="s: hello: "):
            await tools.call(HELLO, {})
    finally:
        await tools.__aexit__(None, None, None)
