"""The two tools that the runtime itself gives the model: `propose` and `reopen` (rule S2)."""

from __future__ import annotations

from marg_runtime.canonical import Json
from marg_runtime.surroundings import BUILT_IN
from marg_runtime.tools.tool import ToolSpec

PROPOSE = "propose"
REOPEN = "reopen"


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
