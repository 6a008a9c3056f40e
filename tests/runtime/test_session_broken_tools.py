"""A session whose tool server is a real child that breaks: a read is told, a write is unknown and never sent twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marg_runtime.events.write import WriteClaimed, WriteDone, WriteUnknown
from marg_runtime.tools.mcp import McpTools, StdioServer

SERVER = """
import json, os, sys, time

folder = sys.argv[1]
version = open(f"{folder}/version").read()
TOOLS = {"levels": ("kind",), "search": ("query",), "create": ("title", "place", "urgency", "note", "confirmed")}

def call(name, arguments):
    with open(f"{folder}/calls.jsonl", "a") as calls:
        calls.write(json.dumps([name, os.environ.get("MARG_ALLOW_WRITES")]) + "\\n")
    if os.path.exists(f"{folder}/{name}.dies"):
        os.remove(f"{folder}/{name}.dies")
        os._exit(1)
    if os.path.exists(f"{folder}/{name}.hangs"):
        time.sleep(600)
    data = {"result": ["low", "high"]} if name == "levels" else {"id": "T-1"}
    return {"content": [{"type": "text", "text": name}], "structuredContent": data}

def answer(method, params):
    if method == "initialize":
        server = {"name": "desk", "version": version}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        schemas = {name: {"type": "object", "properties": {one: {} for one in takes}} for name, takes in TOOLS.items()}
        return {"tools": [{"name": name, "inputSchema": schema} for name, schema in schemas.items()]}
    return call(params["name"], params.get("arguments")) if method == "tools/call" else None

for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        result = answer(asked["method"], asked.get("params"))
        said = {"result": result} if result else {"error": {"code": -32601, "message": "no such method"}}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)
"""

PATIENCE = 60.0  # for a child to start on a machine that is busy


@pytest.fixture
def broken_desk(make_desk: Any, tmp_path: Path, domain_with: Any, writes_on: None) -> Iterator[Any]:
    """A desk of the tests, its tools in a child; `break_next` has the next call of a tool break."""
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    (tmp_path / "version").write_text("1")
    tools = McpTools({"desk": StdioServer(command=sys.executable, args=(str(script), str(tmp_path)))}, timeout=PATIENCE)
    bench = make_desk()
    bench.run(tools.__aenter__())
    steps = tuple(step for step in domain_with().steps if step.key != "urgency")
    desk = make_desk(domain=domain_with(steps=steps), tools=tools, session="s2")
    desk.folder, desk.mcp = tmp_path, tools
    yield desk
    bench.run(tools.__aexit__(None, None, None))


def break_next(desk: Any, tool: str, how: str) -> None:
    (desk.folder / f"{tool}.{how}").touch()


def creates(desk: Any) -> list[list[str | None]]:
    """The create calls that reached a child, each with the write flag that the child had."""
    calls = [json.loads(line) for line in (desk.folder / "calls.jsonl").read_text().splitlines()]
    return [call for call in calls if call[0] == "create"]


def to_summary(desk: Any) -> None:
    desk.to_place()
    desk.tap("Office")
    desk.tap("Skip")


def test_G8_a_child_that_writes_has_the_flag_of_our_process(broken_desk: Any) -> None:
    to_summary(broken_desk)
    broken_desk.tap("Create")
    assert (creates(broken_desk), len(broken_desk.events(WriteDone))) == ([["create", "true"]], 1)


@pytest.mark.parametrize("how", ["dies", "hangs"])
def test_G9_a_child_that_breaks_in_a_write_leaves_it_unknown(broken_desk: Any, how: str) -> None:
    to_summary(broken_desk)
    break_next(broken_desk, "create", how)
    if how == "hangs":
        broken_desk.mcp._connections["desk"]._timeout = 0.5
    broken_desk.tap("Create")
    assert (len(broken_desk.events(WriteClaimed)), len(broken_desk.events(WriteUnknown))) == (1, 1)


def test_G9_a_child_that_died_in_a_write_is_started_anew_for_reads(broken_desk: Any) -> None:
    to_summary(broken_desk)
    break_next(broken_desk, "create", "dies")
    broken_desk.tap("Create")
    broken_desk.hear(broken_desk.call("search", query="lamp"))
    broken_desk.hear("Nothing like it is there.")
    broken_desk.say("is there another one like it?")
    calls = (broken_desk.folder / "calls.jsonl").read_text()
    assert calls.count("search") == 1


def test_a_child_that_dies_in_a_read_is_told_to_the_model_and_nothing_settles(broken_desk: Any) -> None:
    broken_desk.to_place()
    before = broken_desk.values
    break_next(broken_desk, "search", "dies")
    broken_desk.hear(broken_desk.call("search", query="lamp"))
    broken_desk.hear("I could not look it up.")
    broken_desk.say("is there another one like it?")
    told = str(broken_desk.model.received[-1].messages[-1])
    assert ("did not answer" in told, broken_desk.values) == (True, before)


def test_G5_a_server_that_was_restarted_as_another_between_summary_and_yes_is_not_written_to(broken_desk: Any) -> None:
    to_summary(broken_desk)
    break_next(broken_desk, "search", "dies")
    broken_desk.hear(broken_desk.call("search", query="lamp"))
    broken_desk.hear("I could not look it up.")
    broken_desk.say("is there another one like it?")
    (broken_desk.folder / "version").write_text("2")
    broken_desk.tap("Create")
    assert (creates(broken_desk), broken_desk.events(WriteClaimed)) == ([], [])


def test_G9_a_server_that_was_restarted_as_it_was_is_written_to_once(broken_desk: Any) -> None:
    to_summary(broken_desk)
    break_next(broken_desk, "search", "dies")
    broken_desk.hear(broken_desk.call("search", query="lamp"))
    broken_desk.hear("I could not look it up.")
    broken_desk.say("is there another one like it?")
    broken_desk.tap("Create")
    assert (len(creates(broken_desk)), len(broken_desk.events(WriteDone))) == (1, 1)
