"""The MCP client over servers in memory: what it gives, what it raises, what it leaves behind."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import MCPError
from mcp.server import MCPServer, Server
from mcp.types import (
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ListToolsResult,
    TextContent,
    TextResourceContents,
    Tool,
)
from pydantic import BaseModel

from marg_runtime.canonical import Json
from marg_runtime.errors import ToolError, UsageError
from marg_runtime.tools.mcp import McpTools, StdioServer
from marg_runtime.tools.tool import ToolName, ToolOutcome

pytestmark = pytest.mark.anyio

SHORT = 0.2


class Sum(BaseModel):
    """What `add` gives."""

    total: int


def desk(*tools: Callable[..., Any], name: str = "desk", version: str = "2.1") -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer(name, version=version, log_level="ERROR")
    for tool in tools:
        server.add_tool(tool)
    return server


def tool(name: str, server: str = "s") -> ToolName:
    return ToolName(server=server, name=name)


async def called(server: Any, name: str, **arguments: Json) -> ToolOutcome:
    async with McpTools({"s": server}, timeout=SHORT) as tools:
        return await tools.call(tool(name), arguments)


async def add(a: int, b: int) -> Sum:
    """Add two numbers."""
    return Sum(total=a + b)


async def forever() -> str:
    """Never answers."""
    await asyncio.Event().wait()
    return ""


Page = Callable[[Any, Any], Awaitable[ListToolsResult]]


def paged(pages: dict[str | None, tuple[str, str | None]]) -> Server[Any]:
    """A server whose tool list comes in pages: cursor -> (tool name, next cursor)."""

    async def on_list_tools(_: Any, params: Any) -> ListToolsResult:
        name, following = pages[params.cursor if params else None]
        return ListToolsResult(tools=[Tool(name=name, input_schema={"type": "object"})], next_cursor=following)

    return Server("pages", on_list_tools=on_list_tools)


def answering(result: CallToolResult, output_schema: dict[str, Any] | None = None) -> Server[Any]:
    """A server with one tool `it`, which always gives the same result."""

    async def on_list_tools(_: Any, __: Any) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name="it", input_schema={"type": "object"}, output_schema=output_schema)])

    async def on_call_tool(_: Any, __: Any) -> CallToolResult:
        return result

    return Server("answers", on_list_tools=on_list_tools, on_call_tool=on_call_tool)


async def test_list_gives_a_tool_with_its_description_and_schema() -> None:
    async with McpTools({"s": desk(add)}) as tools:
        (spec,) = await tools.list()
    assert (spec.tool, spec.description) == (tool("add"), "Add two numbers.")
    assert spec.input_schema["required"] == ["a", "b"]


async def test_a_tool_is_identified_by_the_name_and_version_of_its_server() -> None:
    async with McpTools({"s": desk(add)}) as tools:
        (spec,) = await tools.list()
    assert spec.identity == "desk 2.1"


async def test_a_server_without_a_version_is_identified_by_its_name() -> None:
    async with McpTools({"s": desk(add, version="")}) as tools:
        (spec,) = await tools.list()
    assert spec.identity == "desk"


async def test_the_tools_of_several_servers_come_in_the_order_of_the_servers() -> None:
    async with McpTools({"z": desk(forever, add), "a": desk(add)}) as tools:
        names = [str(spec.tool) for spec in await tools.list()]
    assert names == ["z/forever", "z/add", "a/add"]


async def test_a_tool_that_was_added_later_is_listed() -> None:
    server = desk(add)
    async with McpTools({"s": server}) as tools:
        await tools.list()
        server.add_tool(forever)
        names = [spec.name for spec in await tools.list()]
    assert names == ["add", "forever"]


async def test_a_tool_list_in_pages_is_read_to_its_end() -> None:
    async with McpTools({"s": paged({None: ("one", "next"), "next": ("two", None)})}) as tools:
        names = [spec.name for spec in await tools.list()]
    assert names == ["one", "two"]


async def test_a_tool_list_that_comes_back_to_a_page_is_an_error() -> None:
    async with McpTools({"s": paged({None: ("one", "next"), "next": ("two", "next")})}) as tools:
        with pytest.raises(ToolError, match="comes back to its page 'next'"):
            await tools.list()


async def test_a_call_gives_the_text_and_the_structured_part() -> None:
    outcome = await called(desk(add), "add", a=2, b=3)
    assert outcome == ToolOutcome(text='{\n  "total": 5\n}', data={"total": 5})


async def test_texts_are_joined_and_what_has_no_text_is_named_by_its_kind() -> None:
    blocks: list[ContentBlock] = [
        TextContent(type="text", text="one"),
        ImageContent(type="image", data="", mime_type="image/png"),
        EmbeddedResource(type="resource", resource=TextResourceContents(uri="memo:1", text="two")),
    ]
    outcome = await called(answering(CallToolResult(content=blocks)), "it")
    assert outcome.text == "one\n[image]\ntwo"


async def test_an_unknown_tool_is_an_outcome_with_an_error() -> None:
    outcome = await called(desk(add), "substract")
    assert (outcome.is_error, outcome.text) == (True, "Unknown tool: substract")


async def test_arguments_against_the_schema_are_an_outcome_with_an_error() -> None:
    outcome = await called(desk(add), "add", a="two", b=3)
    assert outcome.is_error


async def test_the_structured_part_of_a_refusal_is_kept() -> None:
    refusal = CallToolResult(content=[], is_error=True, structured_content={"why": "closed"})
    outcome = await called(answering(refusal), "it")
    assert outcome == ToolOutcome(text="", data={"why": "closed"}, is_error=True)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(arguments=st.dictionaries(st.text(), JSON, max_size=4))
@settings(max_examples=60, deadline=None)
def test_arguments_reach_the_server_as_given(arguments: dict[str, Any]) -> None:
    received: list[Any] = []

    async def on_call_tool(_: Any, params: Any) -> CallToolResult:
        received.append(params.arguments)
        return CallToolResult(content=[])

    async def on_list_tools(_: Any, __: Any) -> ListToolsResult:
        return ListToolsResult(tools=[])

    server: Server[Any] = Server("recorder", on_list_tools=on_list_tools, on_call_tool=on_call_tool)
    asyncio.run(_send(server, arguments))
    assert received == [arguments]


async def _send(server: Server[Any], arguments: dict[str, Any]) -> None:
    async with McpTools({"s": server}) as tools:
        await tools.call(tool("it"), MappingProxyType(arguments))


async def test_an_argument_that_the_server_does_not_know_is_no_error() -> None:
    outcome = await called(desk(add), "add", a=1, b=1, c=1)
    assert outcome.data == {"total": 2}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"], ids=["nan", "inf", "lone_surrogate"])
async def test_arguments_that_are_no_json_are_refused_before_the_server_sees_them(value: Json) -> None:
    with pytest.raises(ToolError, match="s/add: the arguments are no JSON"):
        await called(desk(add), "add", a=value)


async def test_a_protocol_error_is_a_tool_error_with_the_servers_words() -> None:
    async def refuse() -> str:
        raise MCPError(-32000, "not on my protocol")

    with pytest.raises(ToolError, match="s: refuse: not on my protocol") as caught:
        await called(desk(refuse), "refuse")
    assert isinstance(caught.value.__cause__, MCPError)


async def test_a_structured_part_against_its_own_schema_is_a_tool_error() -> None:
    result = CallToolResult(content=[], structured_content={"total": "five"})
    server = answering(result, {"type": "object", "properties": {"total": {"type": "integer"}}})
    with pytest.raises(ToolError, match="s: it: "):
        await called(server, "it")


async def test_a_tool_that_never_answers_is_a_tool_error_that_says_how_long_it_was_waited_for() -> None:
    with pytest.raises(ToolError, match=r"s: forever: no answer within 0\.2 s"):
        await called(desk(forever), "forever")


async def test_a_break_of_a_server_in_memory_has_its_kind() -> None:
    async def refuse() -> str:
        raise MCPError(-32000, "Connection closed")

    kinds = []
    for broken in (forever, refuse):
        with pytest.raises(ToolError) as caught:
            await called(desk(broken), broken.__name__)
        kinds.append(caught.value.kind)
    assert kinds == ["mcp_timeout", "protocol"]


async def test_what_a_server_says_of_a_tool_beside_its_schema_is_given() -> None:
    server = desk()
    server.add_tool(add, meta={"marg/dev": True})
    async with McpTools({"s": server}) as tools:
        assert (await tools.meta(tool("add")), await tools.meta(tool("none"))) == ({"marg/dev": True}, {})


async def test_a_connection_serves_the_next_call_after_one_that_never_answered() -> None:
    async with McpTools({"s": desk(add, forever)}, timeout=SHORT) as tools:
        with pytest.raises(ToolError):
            await tools.call(tool("forever"), {})
        outcome = await tools.call(tool("add"), {"a": 1, "b": 1})
    assert outcome.data == {"total": 2}


async def test_a_cancellation_inside_a_tool_is_a_tool_error() -> None:
    async def give_up() -> str:
        raise asyncio.CancelledError

    with pytest.raises(ToolError, match="s: give_up: the connection was given up"):
        await called(desk(give_up), "give_up")


async def test_our_own_cancellation_reaches_the_tool_and_comes_back_as_itself() -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def wait() -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    async with McpTools({"s": desk(wait)}) as tools:
        pending = asyncio.create_task(tools.call(tool("wait"), {}))
        await started.wait()
        pending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pending
    assert ended.is_set()


async def test_two_calls_run_at_once() -> None:
    both = asyncio.Barrier(2)

    async def meet() -> str:
        await both.wait()
        return "met"

    async with McpTools({"s": desk(meet)}, timeout=5) as tools:
        outcomes = await asyncio.gather(tools.call(tool("meet"), {}), tools.call(tool("meet"), {}))
    assert [outcome.text for outcome in outcomes] == ["met", "met"]


async def test_one_task_can_open_what_another_closes() -> None:
    tools = McpTools({"s": desk(add)})
    await asyncio.create_task(tools.__aenter__())
    outcome = await tools.call(tool("add"), {"a": 1, "b": 1})
    await asyncio.create_task(tools.__aexit__(None, None, None))
    assert outcome.data == {"total": 2}


async def test_tools_can_be_opened_again_after_they_were_closed() -> None:
    tools = McpTools({"s": desk(add)})
    async with tools:
        pass
    async with tools:
        outcome = await tools.call(tool("add"), {"a": 1, "b": 1})
    assert outcome.data == {"total": 2}


async def test_an_error_in_the_body_comes_out_as_itself() -> None:
    with pytest.raises(ZeroDivisionError):
        async with McpTools({"s": desk(add)}):
            _ = 1 / 0


async def test_no_task_is_left_after_leaving() -> None:
    before = asyncio.all_tasks()
    await called(desk(add), "add", a=1, b=1)
    assert asyncio.all_tasks() == before


async def test_a_call_before_opening_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="not open"):
        await McpTools({"s": desk(add)}).call(tool("add"), {})


async def test_a_list_after_leaving_is_a_usage_error() -> None:
    async with McpTools({"s": desk(add)}) as tools:
        pass
    with pytest.raises(UsageError, match="not open"):
        await tools.list()


async def test_opening_twice_is_a_usage_error() -> None:
    async with McpTools({"s": desk(add)}) as tools:
        with pytest.raises(UsageError, match="open already"):
            await tools.__aenter__()


async def test_a_call_on_an_unknown_server_names_those_that_there_are() -> None:
    async with McpTools({"s": desk(add)}) as tools:
        with pytest.raises(UsageError, match=r"no tool server 'desk'; there are \['s'\]"):
            await tools.call(tool("add", server="desk"), {})


async def test_a_source_that_is_no_url_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"'python server\.py' is no http or https URL"):
        McpTools({"s": "python server.py"})


async def test_a_timeout_of_nothing_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="more than 0 seconds, not 0"):
        McpTools({}, timeout=0)


async def test_a_missing_sdk_is_a_usage_error_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(UsageError, match=r"pip install 'marg\[mcp\]'"):
        await McpTools({"s": "http://127.0.0.1:1/mcp"}).__aenter__()


async def test_servers_that_were_open_are_closed_where_a_later_one_does_not_open() -> None:
    closed = asyncio.Event()

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        yield
        closed.set()

    first: MCPServer[Any] = MCPServer("first", log_level="ERROR", lifespan=lifespan)
    with pytest.raises(UsageError):
        await McpTools({"a": first, "b": StdioServer(command="no-such-command-here")}).__aenter__()
    assert closed.is_set()


async def test_a_server_that_breaks_while_it_starts_is_a_tool_error() -> None:
    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        raise RuntimeError("no database")
        yield

    server: MCPServer[Any] = MCPServer("broken", log_level="ERROR", lifespan=lifespan)
    with pytest.raises(ToolError, match="s: open: no database"):
        await McpTools({"s": server}).__aenter__()


async def test_a_server_that_breaks_while_it_stops_takes_no_answer_away() -> None:
    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        yield
        raise RuntimeError("cannot flush")

    server: MCPServer[Any] = MCPServer("broken", log_level="ERROR", lifespan=lifespan)
    server.add_tool(add)
    outcome = await called(server, "add", a=1, b=1)
    assert outcome.data == {"total": 2}


WATCHED = """
import asyncio, socket, sys
from mcp.server import MCPServer
from marg_runtime.tools.mcp import McpTools
from marg_runtime.tools.tool import ToolName

NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
seen = []
sys.addaudithook(lambda event, _: seen.append(event) if event in NETWORK else None)
server = MCPServer("desk", log_level="ERROR")

@server.tool()
async def hello() -> str:
    return "hello"

async def use():
    async with McpTools({"s": server}) as tools:
        await tools.list()
        print((await tools.call(ToolName(server="s", name="hello"), {})).text)

asyncio.run(use())
"""
CONTROL = "socket.socket().bind(('127.0.0.1', 0))\nsocket.getaddrinfo('127.0.0.1', 80)\n"


@pytest.mark.parametrize(
    ("then", "events"), [("", "[]"), (CONTROL, "['socket.bind', 'socket.getaddrinfo']")], ids=["alone", "control"]
)
def test_a_server_in_memory_is_reached_without_a_socket(then: str, events: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{WATCHED}\n{then}print(seen)"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == (f"hello\n{events}\n", "")
