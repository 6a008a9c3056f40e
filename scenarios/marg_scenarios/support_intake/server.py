"""The example desk as an MCP server: in memory (`build_server`) or over stdio.

    python -m marg_scenarios.support_intake.server [--dev] [--database PATH]

The second layer of the write gate lives here (rule G6): `create_ticket` refuses without `confirmed: true` and without
the write flag in this process's own environment being the literal string `true`. Every create call is counted by the
desk, with its refusal where there is one; so no check of arguments may run ahead of the count.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from marg_runtime.errors import UsageError
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.probe.target import DEV_MARK

from .tickets import TITLE_CHARACTERS, Desk, Kind, NewTicket, Refusal, Ticket

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.tools import Tool
    from mcp.types import CallToolResult

NAME = "support-desk"
VERSION = "1.0"
CREATE = "create_ticket"

_SHAPES: dict[str, Tool] = {}

Priority = Literal["low", "medium", "high", "urgent"]
Category = Literal["account", "billing", "bug", "other"]


class OptionRow(BaseModel):
    """A value and what a person reads for it."""

    value: str
    label: str


class ReferenceData(BaseModel):
    """The values of one kind, in the desk's order."""

    kind: Kind
    options: list[OptionRow]


class TicketRow(BaseModel):
    """A ticket in a list; `created_at` in ISO 8601, UTC."""

    id: str
    title: str
    details: str
    priority: str
    category: str
    created_at: str


class FoundTickets(BaseModel):
    """The tickets that a search found."""

    tickets: list[TicketRow]


class Receipt(TicketRow):
    """The ticket that a create call gave."""

    visibility: str
    attachment_note: str | None


class FoundByKey(BaseModel):
    """What became of a create call: the ticket that it wrote, or nothing."""

    found: bool
    receipt: Receipt | None


class CreateTicket(BaseModel):
    """The arguments of `create_ticket`. Only types are checked here; what a value may be is the desk's to say."""

    model_config = ConfigDict(strict=True)

    title: str = Field(
        description="One line that names the problem.",
        json_schema_extra={"minLength": 1, "maxLength": TITLE_CHARACTERS},
    )
    details: str = Field(description="What happened, in the user's words.", json_schema_extra={"minLength": 1})
    priority: str = Field(description="A value of reference_data for priorities.")
    category: str = Field(description="A value of reference_data for categories.")
    visibility: str = Field(description="A value of reference_data for visibilities.")
    attachment_note: str | None = Field(default=None, description="What the user would attach.")
    confirmed: bool = Field(default=False, description="True only once the user has confirmed the summary.")
    idempotency_key: str | None = Field(default=None, description="The same key again gives the same ticket.")


def build_server(desk: Desk, *, dev: bool = False) -> MCPServer[Any]:
    """The desk as an MCP server with its four tools; `dev` marks it as one for development, which may be probed.

    Needs the extra `mcp`; leaves the root logger as it was.
    """
    from mcp.server import MCPServer

    class DeskServer(MCPServer[Any]):
        """Hands a create call to the desk as it was sent. The SDK would refuse a bad one before the tool runs, which
        would keep it from the desk's count, and would parse text that looks like JSON: a person's words."""

        own_create = True

        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            if name == CREATE and self.own_create:
                return _answered(_create(desk, arguments))
            return await super().call_tool(name, arguments, context)

        def remove_tool(self, name: str) -> None:
            super().remove_tool(name)
            self.own_create = self.own_create and name != CREATE

    with _root_logger_left_alone():
        return DeskServer(NAME, version=VERSION, log_level="WARNING", tools=[*_read_tools(desk), _create_tool(dev=dev)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve a desk over stdio until stdin ends; gives the exit code, 2 for a database that is no desk."""
    parser = argparse.ArgumentParser(prog="marg_scenarios.support_intake.server", description="The example desk.")
    parser.add_argument("--dev", action="store_true", help="say that this desk is for development: it may be probed")
    parser.add_argument("--database", default=":memory:", metavar="PATH", help="an SQLite file (default: in memory)")
    asked = parser.parse_args(arguments)
    try:
        desk = Desk(asked.database)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    with closing(desk):
        build_server(desk, dev=asked.dev).run()
    return 0


def _read_tools(desk: Desk) -> list[Tool]:
    from mcp.server.mcpserver.tools import Tool

    async def reference_data(kind: Kind) -> ReferenceData:
        """The values that a ticket's priority, category or visibility can take."""
        options = [OptionRow(value=option.value, label=option.label) for option in desk.options(kind)]
        return ReferenceData(kind=kind, options=options)

    async def search_tickets(
        query: str, category: Category | None = None, priority: Priority | None = None
    ) -> FoundTickets:
        """The first ten public tickets that hold every word of the query, optionally of one category or priority."""
        found = desk.search(query, category=category, priority=priority)
        return FoundTickets(tickets=[TicketRow(**_row(ticket)) for ticket in found])

    async def find_ticket(idempotency_key: str) -> FoundByKey:
        """Whether a create call with this key wrote a ticket, and which."""
        ticket = desk.by_key(idempotency_key)
        return FoundByKey(found=ticket is not None, receipt=Receipt(**_row(ticket)) if ticket else None)

    return [_bound(tool, Tool.from_function) for tool in (reference_data, search_tickets, find_ticket)]


def _create_tool(*, dev: bool) -> Tool:
    from mcp.server.mcpserver.tools import Tool

    async def create_ticket() -> Receipt:
        """Create a ticket under the user's name. Refuses unless confirmed is true and writes are on."""
        raise AssertionError("the server hands a create call to the desk itself")

    def shaped(fn: Callable[..., Any]) -> Tool:
        schema = {name: part for name, part in CreateTicket.model_json_schema().items() if name != "description"}
        return Tool.from_function(fn).model_copy(update={"parameters": schema})

    return _bound(create_ticket, shaped).model_copy(update={"meta": {DEV_MARK: True} if dev else None})


def _bound(fn: Callable[..., Any], shaped: Callable[[Callable[..., Any]], Tool]) -> Tool:
    """A tool that calls `fn`. Its schemas are made once a process: that takes longer than a whole conversation."""
    name = fn.__name__
    if name not in _SHAPES:
        _SHAPES[name] = shaped(fn)
    return _SHAPES[name].model_copy(update={"fn": fn})


def _create(desk: Desk, sent: Mapping[str, object]) -> Ticket | Refusal:
    closed = _door(sent.get("confirmed"), os.environ.get(WRITE_FLAG))
    if closed is not None:
        return desk.refuse(closed)
    try:
        asked = CreateTicket.model_validate(desk.taken(sent))
    except ValidationError as error:
        return desk.refuse(_bad_arguments(error))
    content = asked.model_dump(exclude={"confirmed", "idempotency_key"})
    return desk.create(NewTicket(**content), idempotency_key=asked.idempotency_key)


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


def _answered(answer: Ticket | Refusal) -> CallToolResult:
    # A refusal is not raised: the SDK would put "Error executing tool create_ticket:" before a person's sentence.
    from mcp.types import CallToolResult, TextContent

    if isinstance(answer, Refusal):
        text, data = answer.message, {"refused": answer.code, "message": answer.message}
    else:
        receipt = Receipt(**_row(answer))
        text, data = receipt.model_dump_json(indent=2), receipt.model_dump()
    return CallToolResult(
        is_error=isinstance(answer, Refusal),
        content=[TextContent(type="text", text=text)],
        structured_content=data,
    )


def _row(ticket: Ticket) -> dict[str, Any]:
    created = datetime.fromtimestamp(ticket.created_at / 1000, tz=UTC)
    return {
        "id": ticket.id,
        "title": ticket.title,
        "details": ticket.details,
        "priority": ticket.priority,
        "category": ticket.category,
        "visibility": ticket.visibility,
        "attachment_note": ticket.attachment_note,
        "created_at": created.isoformat(timespec="seconds").replace("+00:00", "Z"),
    }


@contextmanager
def _root_logger_left_alone() -> Iterator[None]:
    # The SDK calls logging.basicConfig, which does nothing where the root logger has a handler.
    root, guard = logging.getLogger(), logging.NullHandler()
    root.addHandler(guard)
    try:
        yield
    finally:
        root.removeHandler(guard)


if __name__ == "__main__":
    raise SystemExit(main())
