"""A server that is a child breaks: what the caller is told, what is on the wire's log, and what the next use finds."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from marg_runtime.errors import ToolError
from marg_runtime.tools.mcp import McpTools, StdioServer
from marg_runtime.tools.tool import ToolName
from marg_runtime.wire import WireLog

pytestmark = pytest.mark.anyio

# Its tools are those of the file that it is given, read when it starts; each does what its name says.
SERVER = """
import json, os, sys, time

listed = json.load(open(sys.argv[1]))

def call(name, arguments):
    if name == "die":
        os._exit(1)
    if name == "hang":
        time.sleep(600)
    if name == "chatter":
        print("Listening on port 80", flush=True)
    if name == "babble":
        print("Listening on port 80", flush=True)
        return None
    if name == "refuse":
        raise LookupError
    return {"content": [{"type": "text", "text": str(os.getpid())}]}

def answer(method, params):
    if method == "initialize":
        server = {"name": "child", "version": listed["version"]}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        schema = {"type": "object", "properties": {name: {} for name in listed["takes"]}}
        return {"tools": [{"name": name, "inputSchema": schema} for name in listed["tools"]]}
    return call(params["name"], params.get("arguments")) if method == "tools/call" else {"unknown": method}

for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    said = {"error": {"code": -32601, "message": "no such method"}}
    if asked["method"] in ("initialize", "tools/list", "tools/call"):
        try:
            result = answer(asked["method"], asked.get("params"))
        except LookupError:
            said = {"error": {"code": -32000, "message": "Connection closed"}}
        else:
            if result is None:
                continue
            said = {"result": result}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)
"""
TOOLS = ("pid", "die", "hang", "chatter", "babble", "refuse")
PATIENCE = 60.0  # for a child to start on a machine that is busy


class Child:
    """A server whose tools can be changed for its next start."""

    def __init__(self, folder: Path) -> None:
        self._script, self._listed = folder / "server.py", folder / "listed.json"
        self._script.write_text(SERVER)
        self.deploy()

    def deploy(self, *, version: str = "1", tools: tuple[str, ...] = TOOLS, takes: tuple[str, ...] = ()) -> None:
        """What the next start of the server lists."""
        self._listed.write_text(json.dumps({"version": version, "tools": tools, "takes": takes}))

    def tools(self, *, timeout: float = PATIENCE, wire: WireLog | None = None) -> McpTools:
        """The client; not yet open."""
        source = StdioServer(command=sys.executable, args=(str(self._script), str(self._listed)))
        return McpTools({"s": source}, timeout=timeout, wire=wire or WireLog())


@pytest.fixture
def child(tmp_path: Path) -> Child:
    return Child(tmp_path)


async def call(tools: McpTools, name: str) -> str:
    return (await tools.call(ToolName(server="s", name=name), {})).text


async def broken(tools: McpTools, name: str) -> ToolError:
    with pytest.raises(ToolError) as caught:
        await call(tools, name)
    return caught.value


async def kill(tools: McpTools) -> int:
    process = int(await call(tools, "pid"))
    os.kill(process, signal.SIGKILL)
    return process


async def noticed(tools: McpTools) -> None:
    """Until the end of the child's stream has come in."""
    connection = tools._connections["s"]
    while connection._link is None or connection._link.usable:
        await asyncio.sleep(0.01)


async def test_a_child_that_dies_in_a_call_is_mcp_closed(child: Child) -> None:
    async with child.tools() as tools:
        error = await broken(tools, "die")
    assert (error.kind, error.sent) == ("mcp_closed", True)


async def test_a_child_that_died_before_the_call_is_started_anew_and_answers(child: Child) -> None:
    async with child.tools() as tools:
        dead = await kill(tools)
        await noticed(tools)
        alive = int(await call(tools, "pid"))
    assert alive != dead


async def test_the_call_after_one_that_died_is_answered(child: Child) -> None:
    async with child.tools() as tools:
        await broken(tools, "die")
        assert int(await call(tools, "pid")) > 0


async def test_a_call_that_died_is_not_sent_again(child: Child) -> None:
    log = WireLog()
    async with child.tools(wire=log) as tools:
        await broken(tools, "die")
        await call(tools, "pid")
    assert [event.what for event in log.events if event.phase == "sent"] == ["open", "die", "open", "pid"]


async def test_a_child_that_hangs_is_mcp_timeout(child: Child) -> None:
    async with child.tools() as tools:
        await call(tools, "pid")
        tools._connections["s"]._timeout = 0.3
        error = await broken(tools, "hang")
    assert (error.kind, error.sent) == ("mcp_timeout", True)


async def test_a_child_that_hangs_twice_is_ended_and_another_answers(child: Child) -> None:
    async with child.tools() as tools:
        before = int(await call(tools, "pid"))
        connection = tools._connections["s"]
        connection._timeout = 0.3
        await broken(tools, "hang")
        await broken(tools, "pid")
        connection._timeout = PATIENCE
        after = int(await call(tools, "pid"))
        with pytest.raises(ProcessLookupError):
            os.kill(before, 0)
    assert after != before


async def test_a_line_that_is_no_message_before_an_answer_is_noise(child: Child) -> None:
    log = WireLog()
    async with child.tools(wire=log) as tools:
        assert int(await call(tools, "chatter")) > 0
    assert [event.phase for event in log.events if event.what == "chatter"] == ["sent", "noise", "answered"]


async def test_a_line_that_is_no_message_in_place_of_an_answer_is_protocol(child: Child) -> None:
    async with child.tools() as tools:
        await call(tools, "pid")
        tools._connections["s"]._timeout = 2.0
        error = await broken(tools, "babble")
    assert (error.kind, error.sent) == ("protocol", True)


async def test_a_program_that_is_no_server_is_told_by_its_babble() -> None:
    program = "import sys\nprint('Welcome', flush=True)\nsys.stdin.readline()"
    tools = McpTools({"s": StdioServer(command=sys.executable, args=("-c", program))}, timeout=PATIENCE)
    with pytest.raises(ToolError) as caught:
        await tools.__aenter__()
    assert (caught.value.kind, caught.value.sent) == ("protocol", False)


async def test_a_program_that_ends_at_once_is_mcp_closed() -> None:
    tools = McpTools({"s": StdioServer(command=sys.executable, args=("-c", ""))}, timeout=PATIENCE)
    with pytest.raises(ToolError) as caught:
        await tools.__aenter__()
    assert (caught.value.kind, caught.value.sent) == ("mcp_closed", False)


async def test_an_error_that_the_server_answers_is_protocol_whatever_its_code_and_words(child: Child) -> None:
    async with child.tools() as tools:
        error = await broken(tools, "refuse")
        assert error.kind == "protocol"
        assert int(await call(tools, "pid")) > 0


async def test_a_child_that_cannot_be_started_again_is_a_tool_error_that_nothing_was_sent(
    child: Child, tmp_path: Path
) -> None:
    async with child.tools() as tools:
        await kill(tools)
        await noticed(tools)
        (tmp_path / "listed.json").unlink()
        error = await broken(tools, "pid")
    assert (error.kind, error.sent) == ("mcp_closed", False)


async def test_a_tool_that_changed_with_a_new_start_is_not_called(child: Child) -> None:
    async with child.tools() as tools:
        await tools.list()
        await kill(tools)
        await noticed(tools)
        child.deploy(takes=("charge",))
        error = await broken(tools, "pid")
    assert (error.kind, error.sent) == ("protocol", False)


async def test_a_server_of_another_version_is_another_server(child: Child) -> None:
    async with child.tools() as tools:
        await tools.list()
        await kill(tools)
        await noticed(tools)
        child.deploy(version="2")
        error = await broken(tools, "pid")
    assert error.sent is False


async def test_a_changed_tool_is_called_once_it_was_listed_again(child: Child) -> None:
    async with child.tools() as tools:
        await tools.list()
        await kill(tools)
        await noticed(tools)
        child.deploy(version="2")
        await broken(tools, "pid")
        assert {spec.identity for spec in await tools.list()} == {"child 2"}
        assert int(await call(tools, "pid")) > 0


async def test_a_tool_that_stayed_the_same_is_called_after_a_new_start(child: Child) -> None:
    async with child.tools() as tools:
        await tools.list()
        await kill(tools)
        await noticed(tools)
        assert int(await call(tools, "pid")) > 0


async def test_two_calls_at_once_start_one_child(child: Child) -> None:
    log = WireLog()
    async with child.tools(wire=log) as tools:
        await kill(tools)
        await noticed(tools)
        first, second = await asyncio.gather(call(tools, "pid"), call(tools, "pid"))
    assert first == second
    assert [event.what for event in log.events if event.phase == "sent"].count("open") == 2


async def test_the_log_names_the_kind_and_holds_no_content(child: Child) -> None:
    log = WireLog()
    async with child.tools(wire=log) as tools:
        await broken(tools, "die")
    (event,) = log.broken()
    assert (event.side, event.peer, event.what, event.kind, event.terminal) == ("tool", "s", "die", "mcp_closed", False)
    assert event.error == "MCPError"
