"""The tools that the runtime itself gives the model: `propose`, `reopen` (rule S2), and for lists `propose_items`."""

from __future__ import annotations

from marg_runtime.canonical import Json
from marg_runtime.domain import Domain
from marg_runtime.surroundings import BUILT_IN
from marg_runtime.tools.tool import ToolSpec

PROPOSE = "propose"
REOPEN = "reopen"
PROPOSE_ITEMS = "propose_items"


def _schema(**properties: str) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": {name: {"type": "string", "description": text} for name, text in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


BUILT_IN_TOOLS = (
    ToolSpec(
        server=BUILT_IN,
        identity=BUILT_IN,
        name=PROPOSE,
        description="Put words of the user's into the draft. The value must stand in the quote, the quote in a "
        "message of the user's.",
        input_schema=_schema(
            slot="the slot to fill",
            value="the value, in the user's own words",
            quote="the user's words that hold the value, exactly as they were said",
        ),
    ),
    ToolSpec(
        server=BUILT_IN,
        identity=BUILT_IN,
        name=REOPEN,
        description="Have the runtime ask a settled question again, when the user wants to change its answer.",
        input_schema=_schema(step="the key of the step"),
    ),
)

PROPOSE_ITEMS_TOOL = ToolSpec(
    server=BUILT_IN,
    identity=BUILT_IN,
    name=PROPOSE_ITEMS,
    description="Put items that the user named into a list of the draft, each with the user's words that hold it. An "
    "item that the user did not say is not taken; the others are.",
    input_schema={
        "type": "object",
        "properties": {
            "slot": {"type": "string", "description": "the slot of the list"},
            "items": {
                "type": "array",
                "description": "the items, each in the user's own words",
                "items": _schema(
                    value="the item, in the user's own words",
                    quote="the user's words that hold the item, exactly as they were said",
                ),
            },
        },
        "required": ["slot", "items"],
        "additionalProperties": False,
    },
)

_WITH_LISTS = (*BUILT_IN_TOOLS, PROPOSE_ITEMS_TOOL)


def built_in_tools(domain: Domain) -> tuple[ToolSpec, ...]:
    """The runtime's own tools for a domain: the one for lists only where a step has one that the model may propose."""
    return _WITH_LISTS if domain.proposes_lists else BUILT_IN_TOOLS
