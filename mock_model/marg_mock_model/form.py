"""The base of every pydantic form of a file."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import SkipJsonSchema

Absent = SkipJsonSchema[None]
"""The default of a key that may be left out: `key: str | Absent = None`. No file and no schema has it."""


def _drop_null_defaults(schema: dict[str, Any]) -> None:
    for field in schema.get("properties", {}).values():
        if "default" in field and field["default"] is None:
            del field["default"]


class Form(BaseModel):
    """A part of a file as pydantic reads it: unknown keys are refused, and nothing changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_drop_null_defaults)
