"""An MCP server whose one write is counted by its store, and stands behind the door of the gate's second layer.

The second layer lives here (rule G6): the write refuses without `confirmed: true` and without the write flag in this
process's own environment being the literal string `true`. Every create call is counted by the store, with its refusal
where there is one; so no check of arguments may run ahead of the count.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from marg_runtime.errors import UsageError
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.probe.target import DEV_MARK
from marg_scenarios.backend.counting_store import CountingStore
from marg_scenarios.backend.refusal import Refusal

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.tools import Tool
    from mcp.types import CallToolResult

New = TypeVar("New")
Record = TypeVar("Record")


@dataclass(kw_only=True)
class Shapes:
    """The schemas of a server's tools. They are made once a process: that takes longer than a whole conversation."""

    made: dict[str, Tool] = field(default_factory=dict)

    def bound(self, fn: Callable[..., Any], shaped: Callable[[Callable[..., Any]], Tool] | None = None) -> Tool:
        """A tool that calls `fn`, under its name; `shaped` makes it where its signature does not say its schema."""
        from mcp.server.mcpserver.tools import Tool

        name = fn.__name__
        if name not in self.made:
            self.made[name] = (shaped or Tool.from_function)(fn)
        return self.made[name].model_copy(update={"fn": fn})

    def write(self, fn: Callable[..., Any], arguments: type[BaseModel], *, dev: bool) -> Tool:
        """The write tool: its name and text are those of `fn`, its schema is that of the arguments' model.

        `dev` marks the backend as one for development, which may be probed.
        """
        from mcp.server.mcpserver.tools import Tool

        def shaped(fn: Callable[..., Any]) -> Tool:
            schema = {name: part for name, part in arguments.model_json_schema().items() if name != "description"}
            return Tool.from_function(fn).model_copy(update={"parameters": schema})

        return self.bound(fn, shaped).model_copy(update={"meta": {DEV_MARK: True} if dev else None})


@dataclass(frozen=True, kw_only=True)
class WriteServer(Generic[New, Record]):
    """What a server of a store is made of: its own name and version, its write, and how a record is made and told.

    arguments: a model with `confirmed` and `idempotency_key` beside the content; only types are checked by it. new:
    makes what the store takes of the content. receipt: makes the answer of a record.
    """

    name: str
    version: str
    create: str
    arguments: type[BaseModel]
    new: Callable[[dict[str, Any]], New]
    receipt: Callable[[Record], BaseModel]

    def created(self, store: CountingStore[New, Record], sent: Mapping[str, object]) -> CallToolResult:
        """Create what was sent, or say why not; the store counts the call either way."""
        return self._answered(self._create(store, sent))

    def _create(self, store: CountingStore[New, Record], sent: Mapping[str, object]) -> Record | Refusal:
        closed = _door(sent.get("confirmed"), os.environ.get(WRITE_FLAG))
        if closed is not None:
            return store.refuse(closed)
        try:
            asked = self.arguments.model_validate(store.taken(sent))
        except ValidationError as error:
            return store.refuse(_bad_arguments(error))
        content = asked.model_dump()
        key = content.pop("idempotency_key")
        content.pop("confirmed")
        return store.create(self.new(content), idempotency_key=key)

    def _answered(self, answer: Record | Refusal) -> CallToolResult:
        # A refusal is not raised: the SDK would put "Error executing tool ...:" before a person's sentence.
        from mcp.types import CallToolResult, TextContent

        if isinstance(answer, Refusal):
            text, data = answer.message, {"refused": answer.code, "message": answer.message}
        else:
            receipt = self.receipt(answer)
            text, data = receipt.model_dump_json(indent=2), receipt.model_dump()
        return CallToolResult(
            is_error=isinstance(answer, Refusal),
            content=[TextContent(type="text", text=text)],
            structured_content=data,
        )


def counting_server(
    made: WriteServer[New, Record], store: CountingStore[New, Record], *, tools: Sequence[Tool]
) -> MCPServer[Any]:
    """The store as an MCP server with these tools, the write among them. Needs the extra `mcp`; leaves the root logger
    as it was."""
    from mcp.server import MCPServer

    class StoreServer(MCPServer[Any]):
        """Hands a create call to the store as it was sent. The SDK would refuse a bad one before the tool runs, which
        would keep it from the store's count, and would parse text that looks like JSON: a person's words."""

        own_create = True

        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            if name == made.create and self.own_create:
                return made.created(store, arguments)
            return await super().call_tool(name, arguments, context)

        def remove_tool(self, name: str) -> None:
            super().remove_tool(name)
            self.own_create = self.own_create and name != made.create

    with _root_logger_left_alone():
        return StoreServer(made.name, version=made.version, log_level="WARNING", tools=[*tools])


def serve(
    arguments: Sequence[str] | None,
    *,
    program: str,
    about: str,
    opened: Callable[[str], CountingStore[Any, Any]],
    build: Callable[..., MCPServer[Any]],
) -> int:
    """Serve a store over stdio until stdin ends; gives the exit code, 2 for a database that is no such store."""
    parser = argparse.ArgumentParser(prog=program, description=about)
    parser.add_argument("--dev", action="store_true", help="say that this is one for development: it may be probed")
    parser.add_argument("--database", default=":memory:", metavar="PATH", help="an SQLite file (default: in memory)")
    asked = parser.parse_args(arguments)
    try:
        store = opened(asked.database)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    with closing(store):
        build(store, dev=asked.dev).run()
    return 0


def _door(confirmed: object, flag: str | None) -> Refusal | None:
    if confirmed is not True:
        return Refusal(
            code="not_confirmed",
            message=f"Nothing was created: confirmed has to be true itself, and it is {_shown(confirmed)}.",
        )
    if flag != "true":
        return Refusal(
            code="writes_off",
            message=f"Nothing was created: the server's {WRITE_FLAG} has to be 'true' itself; it is {_shown(flag)}.",
        )
    return None


def _shown(value: object) -> str:
    return "not set" if value is None else repr(value)


def _bad_arguments(error: ValidationError) -> Refusal:
    faults = [f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors()]
    return Refusal(code="bad_arguments", message=f"Nothing was created: {'; '.join(faults)}.")


@contextmanager
def _root_logger_left_alone() -> Iterator[None]:
    # The SDK calls logging.basicConfig, which does nothing where the root logger has a handler.
    root, guard = logging.getLogger(), logging.NullHandler()
    root.addHandler(guard)
    try:
        yield
    finally:
        root.removeHandler(guard)
