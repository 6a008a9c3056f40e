"""What the keywords of a JSON Schema may hold: a schema that is none is the client's mistake, and said to be so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from marg_mock_model.hint import show

KINDS = ("array", "boolean", "integer", "null", "number", "object", "string")


def schema_problem(schema: Any) -> str | None:
    """What a schema holds first that none can, with its place (`$.properties.a`); None where there is nothing."""
    return next(_problems(schema, "$"), None)


def _problems(schema: Any, at: str) -> Iterator[str]:
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        yield f"{at} is {show(schema)}, where a schema belongs"
        return
    for name, holds in _HOLDS.items():
        if name in schema and not holds(schema[name]):
            yield f"{at}.{name} may not be {show(schema[name])}"
            return
    for name, part in _parts(schema):
        yield from _problems(part, f"{at}.{name}")


def _parts(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The schemas within a schema, with their names."""
    for name in _ONE:
        if name in schema:
            yield name, schema[name]
    for name in _SEVERAL:
        yield from ((f"{name}[{number}]", part) for number, part in enumerate(schema.get(name, ())))
    for name in _NAMED:
        yield from ((f"{name}.{key}", part) for key, part in schema.get(name, {}).items())


def _is_kind(value: Any) -> bool:
    named = value if isinstance(value, list) else [value]
    return bool(named) and all(isinstance(kind, str) and kind in KINDS for kind in named)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_size(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except re.error:
        return False


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_full_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


_ONE = ("items", "additionalProperties", "not")
_SEVERAL = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED = ("properties", "$defs", "definitions")
_HOLDS: Mapping[str, Callable[[Any], bool]] = {
    "type": _is_kind,
    "enum": _is_full_list,
    "required": _is_names,
    "pattern": _is_pattern,
    "$ref": lambda value: isinstance(value, str),
    "multipleOf": lambda value: _is_number(value) and value > 0,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
        _is_size,
    ),
    **dict.fromkeys(_SEVERAL, _is_full_list),
    **dict.fromkeys(_NAMED, lambda value: isinstance(value, dict)),
}
