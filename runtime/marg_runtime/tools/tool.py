"""A tool by its server and exact name, what a call of it gave, and what a client of tools must do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Protocol

from marg_runtime.canonical import Json, digest


@dataclass(frozen=True, kw_only=True)
class ToolName:
    """A tool, exactly: the same name on another server is another tool."""

    server: str
    name: str

    def __str__(self) -> str:
        return f"{self.server}/{self.name}"


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """A tool as its server lists it; `identity` is the server's own name and version, `input_schema` JSON Schema."""

    server: str
    identity: str
    name: str
    description: str
    input_schema: Mapping[str, Json]

    @property
    def tool(self) -> ToolName:
        """The tool's exact name."""
        return ToolName(server=self.server, name=self.name)

    @cached_property
    def schema_digest(self) -> str:
        """The digest of the input schema: a changed schema is another tool in all but name."""
        return digest(self.input_schema)

    @cached_property
    def spec_digest(self) -> str:
        """The digest of all of it, as the model is shown it."""
        return digest({field.name: getattr(self, field.name) for field in fields(self)})


@dataclass(frozen=True, kw_only=True)
class ToolOutcome:
    """What a call gave: the text for the model, the structured part (None where there is none), and whether it is
    the backend's refusal. A server that broke gives no outcome; it raises `ToolError`."""

    text: str
    data: Json = None
    is_error: bool = False


class Tools(Protocol):
    """A client of tool servers. Both raise `marg_runtime.errors.ToolError` where a server broke or did not answer."""

    async def list(self) -> tuple[ToolSpec, ...]:
        """The tools of all servers, in the servers' order."""
        ...

    async def call(self, tool: ToolName, arguments: Mapping[str, Json]) -> ToolOutcome:
        """Call one tool, arguments as given."""
        ...
