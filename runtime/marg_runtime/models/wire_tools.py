"""The tools of a request as the wire takes them: legal names, one of each, schemas that are objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from marg_runtime.canonical import canonical_json, is_json, well_formed
from marg_runtime.conversation import ModelCall, ModelRequest
from marg_runtime.models.tool_names import names_back, wire_name
from marg_runtime.tools.tool import ToolSpec


@dataclass(frozen=True, kw_only=True)
class WireTool:
    """A tool as the model is shown it; `schema` is JSON Schema of an object."""

    name: str
    description: str
    schema: dict[str, Any]


def wire_tools(tools: Sequence[ToolSpec]) -> tuple[WireTool, ...]:
    """The tools in order; of two with one name the first."""
    first = {spec.name: spec for spec in reversed(tools)}
    return tuple(_wire_tool(spec) for spec in tools if first[spec.name] is spec)


def _wire_tool(spec: ToolSpec) -> WireTool:
    given: dict[str, Any] = json.loads(canonical_json(spec.input_schema)) if is_json(spec.input_schema) else {}
    # The APIs want both keys, and a tool without arguments may have neither.
    schema = {"type": "object", "properties": {}, **given}
    return WireTool(name=wire_name(spec.name), description=well_formed(spec.description), schema=schema)


def plain_arguments(call: ModelCall) -> dict[str, Any]:
    """A call's arguments as plain JSON; what no JSON can hold was refused when it came, and is none."""
    plain: dict[str, Any] = json.loads(canonical_json(call.arguments)) if is_json(call.arguments) else {}
    return plain


def arguments_text(call: ModelCall) -> str:
    """A call's arguments as one text of JSON."""
    return json.dumps(plain_arguments(call), ensure_ascii=False, separators=(",", ":"))


def names_of(request: ModelRequest) -> dict[str, str]:
    """The names of the request's tools, by their wire names."""
    return names_back(spec.name for spec in request.tools)
