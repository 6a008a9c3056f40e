"""The MCP client over servers that are processes of their own: their environment, their death, their silence."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from marg_runtime.errors import ToolError, UsageError
from marg_runtime.tools.mcp import McpTools, StdioServer
from marg_runtime.tools.tool import ToolName

pytestmark = pytest.mark.anyio

FLAG = "MARG_ALLOW_WRITES"

# A server of the handshake era in plain Python: it starts in no time and knows nothing of the SDK that calls it.
SERVER = """
import json, os, sys, time

def call(name, arguments):
    if name == "variables":
        return {"content": [], "structuredContent": dict(os.environ)}
    if name == "sleep":
        open(arguments["marker"], "w").close()
        time.sleep(600)
    return {"content": [{"type": "text", "text": str(os.getpid())}]}

def answer(method, params):
    if method == "initialize":
        server = {"name": "child", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        names = ("variables", "sleep", "pid")
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}
    return call(params["name"], params.get("arguments")) if method == "tools/call" else None

for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = answer(asked["method"], asked.get("params"))
        said = {"result": result} if result else {"error": {"code": -32601, "message": "no such method"}}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)
"""


@pytest.fixture
def child(tmp_path: Path) -> StdioServer:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    return StdioServer(command=sys.executable, args=(str(script),))


def tool(name: str) -> ToolName:
    return ToolName(server="s", name=name)


async def variables(server: StdioServer) -> dict[str, str]:
    async with McpTools({"s": server}) as tools:
        outcome = await tools.call(tool("variables"), {})
    assert isinstance(outcome.data, dict)
    return outcome.data


async def pid(tools: McpTools) -> int:
    outcome = await tools.call(tool("pid"), {})
    return int(outcome.text)


async def until(there: Path) -> None:
    while not there.exists():
        await asyncio.sleep(0.01)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("value", ["true", "True", " true", ""])
async def test_G8_the_flag_of_our_process_reaches_a_child_verbatim(
    value: str, child: StdioServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FLAG, value)
    assert (await variables(child))[FLAG] == value


async def test_G8_an_unset_flag_stays_unset_in_a_child(child: StdioServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FLAG, raising=False)
    assert FLAG not in await variables(child)


def test_G8_the_flag_is_not_taken_from_the_env_of_a_server() -> None:
    with pytest.raises(UsageError, match=f"{FLAG} is not taken from a server's env"):
        StdioServer(command=sys.executable, env={FLAG: "true"})


async def test_a_child_gets_its_own_variables_and_none_of_ours_beside_the_safe_ones(
    tmp_path: Path, child: StdioServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    monkeypatch.setenv(FLAG, "true")
    given = StdioServer(command=child.command, args=child.args, env={"DESK": "north"})
    names = set(await variables(given))
    # What the interpreter or the C library of a child adds by itself is not ours.
    own = {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    assert names - own <= {"DESK", FLAG, "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}
    assert {"DESK", FLAG, "PATH"} <= names


async def test_a_call_of_a_child_that_was_killed_is_a_tool_error(child: StdioServer) -> None:
    async with McpTools({"s": child}) as tools:
        os.kill(await pid(tools), signal.SIGKILL)
        with pytest.raises(ToolError, match="s: pid: "):
            await pid(tools)


async def test_a_call_that_waits_when_its_child_is_killed_is_a_tool_error(child: StdioServer, tmp_path: Path) -> None:
    marker = tmp_path / "asleep"
    async with McpTools({"s": child}) as tools:
        process = await pid(tools)
        waiting = asyncio.create_task(tools.call(tool("sleep"), {"marker": str(marker)}))
        await until(marker)
        os.kill(process, signal.SIGKILL)
        with pytest.raises(ToolError, match="s: sleep: "):
            await waiting


async def test_a_child_of_the_handshake_era_is_listed_with_its_name_and_version(child: StdioServer) -> None:
    async with McpTools({"s": child}) as tools:
        specs = await tools.list()
    assert [(spec.name, spec.identity) for spec in specs] == [
        ("variables", "child 1"),
        ("sleep", "child 1"),
        ("pid", "child 1"),
    ]


async def test_a_child_that_hangs_is_a_tool_error(child: StdioServer, tmp_path: Path) -> None:
    async with McpTools({"s": child}, timeout=3) as tools:
        with pytest.raises(ToolError, match="s: sleep: no answer within 3 s"):
            await tools.call(tool("sleep"), {"marker": str(tmp_path / "asleep")})


async def test_a_child_that_hangs_is_gone_after_leaving(child: StdioServer, tmp_path: Path) -> None:
    async with McpTools({"s": child}) as tools:
        process = await pid(tools)
        waiting = asyncio.create_task(tools.call(tool("sleep"), {"marker": str(tmp_path / "asleep")}))
        await until(tmp_path / "asleep")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert not alive(process)


async def test_a_command_that_does_not_exist_is_a_usage_error_that_names_it() -> None:
    with pytest.raises(UsageError, match="s: cannot start 'no-such-command-here'"):
        await McpTools({"s": StdioServer(command="no-such-command-here")}).__aenter__()


async def test_a_program_that_ends_at_once_is_a_tool_error() -> None:
    with pytest.raises(ToolError, match="s: open: "):
        await McpTools({"s": StdioServer(command=sys.executable, args=("-c", ""))}).__aenter__()


async def test_a_program_that_says_nothing_is_a_tool_error_that_says_how_long_it_was_waited_for() -> None:
    mute = StdioServer(command=sys.executable, args=("-c", "import sys; sys.stdin.read()"))
    with pytest.raises(ToolError, match=r"s: did not open within 0\.5 s"):
        await McpTools({"s": mute}, timeout=0.5).__aenter__()
