"""A backend that keeps what was written by key, and desks whose write it did not answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from marg_runtime.canonical import Json
from marg_runtime.errors import ToolError
from marg_runtime.tools.tool import ToolName, ToolOutcome, ToolSpec

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


CREATE = ToolName(server="desk", name="create")
SEARCH = ToolName(server="desk", name="search")
LEVELS = ToolName(server="desk", name="levels")
FIND = ToolName(server="desk", name="find")


def spec(tool: ToolName, *properties: str) -> ToolSpec:
    schema: dict[str, Json] = {"type": "object", "properties": {name: {} for name in properties}}
    return ToolSpec(server=tool.server, identity="desk 1", name=tool.name, description="", input_schema=schema)


LOOKUP_SPECS = (
    spec(LEVELS, "kind"),
    spec(SEARCH, "query", "title"),
    spec(FIND, "idempotency_key"),
    spec(CREATE, "title", "place", "urgency", "note", "confirmed", "idempotency_key"),
)


class Backend:
    """A backend that keeps what was written by key, and whose answers can be lost before or after it has written."""

    def __init__(self) -> None:
        self.records: dict[str, Mapping[str, Json]] = {}
        self.lost: list[str] = []
        self.blind = False
        self.late: list[tuple[str, Mapping[str, Json]]] = []

    def create(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        key = str(arguments["idempotency_key"])
        values = {name: value for name, value in arguments.items() if name != "idempotency_key"}
        lost = self.lost.pop(0) if self.lost else ""
        if lost == "before":
            raise ToolError("desk: create: no answer")
        if lost == "late":
            self.late.append((key, values))
            raise ToolError("desk: create: no answer")
        if lost == "never left":
            raise ToolError("desk: connection refused", sent=False)
        if self.records.setdefault(key, values) != values:
            return ToolOutcome(text="The key belongs to another record.", is_error=True)
        if lost == "after":
            raise ToolError("desk: create: no answer")
        return ToolOutcome(text="created", data=self.receipt(key))

    def arrive(self) -> None:
        """What was on its way arrives."""
        for key, values in self.late:
            self.records.setdefault(key, values)

    def find(self, arguments: Mapping[str, Json]) -> ToolOutcome:
        if self.blind:
            raise ToolError("desk: find: no answer")
        key = str(arguments["idempotency_key"])
        found = key in self.records
        return ToolOutcome(text="", data={"found": found, "receipt": self.receipt(key) if found else None})

    def receipt(self, key: str) -> Json:
        return {"id": f"T-{list(self.records).index(key) + 1}"}


def unknown(desk: Desk, backend: Backend, *, lost: str) -> Desk:
    """A desk whose write got no answer: lost before the backend had it, after, or on its way still."""
    backend.lost.append(lost)
    desk.to_summary()
    desk.tap("Create")
    assert desk.state.write is not None
    assert desk.state.write.status == "unknown"
    return desk


def lookups(desk: Desk) -> int:
    return sum(call.tool == FIND for call in desk.scripted.calls)
