"""The example desk as an MCP server: in memory (`build_server`) or over stdio.

    python -m marg_scenarios.support_intake.server [--dev] [--database PATH]

`create_ticket` stands behind the door of the gate's second layer; `marg_scenarios.backend` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from marg_scenarios.backend import Shapes, WriteServer, counting_server, serve

from .tickets import TITLE_CHARACTERS, Desk, Kind, NewTicket, Ticket

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.tools import Tool

NAME = "support-desk"
VERSION = "1.0"
CREATE = "create_ticket"

_SHAPES = Shapes()

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

    async def create_ticket() -> Receipt:
        """Create a ticket under the user's name. Refuses unless confirmed is true and writes are on."""
        raise AssertionError("the server hands a create call to the desk itself")

    tools = [*_read_tools(desk), _SHAPES.write(create_ticket, CreateTicket, dev=dev)]
    return counting_server(_DESK, desk, tools=tools)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve a desk over stdio until stdin ends; gives the exit code, 2 for a database that is no desk."""
    return serve(
        arguments,
        program="marg_scenarios.support_intake.server",
        about="The example desk.",
        opened=Desk,
        build=build_server,
    )


def _read_tools(desk: Desk) -> list[Tool]:
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

    return [_SHAPES.bound(tool) for tool in (reference_data, search_tickets, find_ticket)]


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


_DESK: WriteServer[NewTicket, Ticket] = WriteServer(
    name=NAME,
    version=VERSION,
    create=CREATE,
    arguments=CreateTicket,
    new=lambda content: NewTicket(**content),
    receipt=lambda ticket: Receipt(**_row(ticket)),
)


if __name__ == "__main__":
    raise SystemExit(main())
