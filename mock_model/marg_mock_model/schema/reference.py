"""References within a JSON Schema: `#`, `#/$defs/name`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marg_mock_model.errors import BadRequest

MOST_HOPS = 16


def resolved(schema: Any, root: Any) -> Mapping[str, Any]:
    """The schema that a schema is, its reference followed; what stands beside a reference holds too.

    Raises BadRequest for a reference that leads nowhere, or out of the schema, and for what is no schema.
    """
    hops = 0
    while isinstance(schema, Mapping) and "$ref" in schema:
        hops += 1
        if hops > MOST_HOPS:
            raise BadRequest(f"the schema's reference {schema['$ref']!r} leads in a circle")
        beside = {name: value for name, value in schema.items() if name != "$ref"}
        target = _target(schema["$ref"], root)
        schema = {**target, **beside} if isinstance(target, Mapping) else target
    if schema is True:
        return {}
    if not isinstance(schema, Mapping):
        raise BadRequest(f"{schema!r} is no JSON schema")
    return schema


def _target(reference: Any, root: Any) -> Any:
    if not isinstance(reference, str) or not reference.startswith("#"):
        raise BadRequest(f"the schema's reference {reference!r} leads out of the schema")
    node = root
    for part in reference.removeprefix("#").split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, Mapping) or name not in node:
            raise BadRequest(f"the schema's reference {reference!r} leads nowhere")
        node = node[name]
    return node
