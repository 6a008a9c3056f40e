"""A value that is valid against a JSON Schema: the same one every time, and as small as the schema lets it be."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from marg_mock_model.errors import BadRequest
from marg_mock_model.schema.check import problem_of
from marg_mock_model.schema.reference import resolved

FREE_DEEP = 8
"""How deep a sample nests before only what must be there is: a schema may name itself, and more than once."""

MOST_DEEP = 24
"""How deep what must be there is followed."""

TEXTS_BY_FORMAT: Mapping[str, str] = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "duration": "P1D",
    "email": "ada@example.com",
    "hostname": "example.com",
    "ipv4": "127.0.0.1",
    "ipv6": "::1",
    "time": "00:00:00Z",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_TRIED = (
    "a",
    "A",
    "0",
    "abc",
    "ABC",
    "Abc",
    "a1",
    "A1",
    "A-1",
    "a-1",
    "a_b",
    "a b",
    "1.0",
    "00",
    "000",
    "0000",
    "00000",
)


def sample_of(schema: Any, *, text: str = "") -> Any:
    """A valid value; every text that the schema leaves free is `text`.

    Raises BadRequest where none was found, such as for a `pattern` that no text known here matches.
    """
    for value in _samples(schema, root=schema, text=text or "text", depth=0, variant=0):
        if problem_of(value, schema) is None:
            return value
    raise BadRequest("no value was found that is valid against the schema; give the transition its own 'data'")


def _samples(schema: Any, *, root: Any, text: str, depth: int, variant: int) -> Iterator[Any]:
    """Values to try, the likeliest first."""
    if depth > MOST_DEEP:
        return
    schema = _merged(resolved(schema, root), root)
    if "const" in schema:
        yield schema["const"]
        return
    if "enum" in schema:
        yield from schema["enum"][variant:] + schema["enum"][:variant]
        return
    for union in ("anyOf", "oneOf"):
        parts = schema.get(union, ())
        for part in sorted(parts, key=lambda part: _nests(part, root)) if depth > FREE_DEEP else parts:
            both = {"allOf": [{k: v for k, v in schema.items() if k != union}, part]}
            for value in _samples(both, root=root, text=text, depth=depth + 1, variant=variant):
                yield value
                break
    if "anyOf" in schema or "oneOf" in schema:
        return
    for kind in _kinds(schema):
        yield from _of_kind(kind, schema, root=root, text=text, depth=depth, variant=variant)


def _merged(schema: Mapping[str, Any], root: Any) -> Mapping[str, Any]:
    """A schema with the parts of its `allOf` in it."""
    if "allOf" not in schema:
        return schema
    merged: dict[str, Any] = {name: value for name, value in schema.items() if name != "allOf"}
    for part in schema["allOf"]:
        for name, value in _merged(resolved(part, root), root).items():
            if name == "properties":
                merged[name] = {**merged.get(name, {}), **value}
            elif name == "required":
                merged[name] = list(dict.fromkeys([*merged.get(name, []), *value]))
            else:
                merged[name] = value
    return merged


def _nests(schema: Any, root: Any) -> bool:
    """Whether the values of a schema have parts, as far as the schema itself says."""
    schema = resolved(schema, root)
    return not {"array", "object"}.isdisjoint(_kinds(schema)) or not {"anyOf", "oneOf", "allOf"}.isdisjoint(schema)


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    kinds = schema.get("type")
    if kinds is None:
        by_keyword = {"properties": "object", "items": "array", "pattern": "string", "minimum": "number"}
        return [kind for keyword, kind in by_keyword.items() if keyword in schema] or ["string"]
    named = [kinds] if isinstance(kinds, str) else list(kinds)
    return sorted(named, key=lambda kind: kind == "null")


def _of_kind(kind: str, schema: Mapping[str, Any], *, root: Any, text: str, depth: int, variant: int) -> Iterator[Any]:
    if kind == "object":
        yield _object(schema, root=root, text=text, depth=depth, variant=variant)
    elif kind == "array":
        yield _array(schema, root=root, text=text, depth=depth)
        yield []
    elif kind == "string":
        yield from _texts(schema, text, variant)
    elif kind in ("integer", "number"):
        yield _number(schema, variant, whole=kind == "integer")
    elif kind == "boolean":
        yield variant % 2 == 1
    else:
        yield None


def _object(schema: Mapping[str, Any], *, root: Any, text: str, depth: int, variant: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    # What need not be there is left out, unless nothing need be: an empty object would show a client little.
    wanted = schema.get("required") or (
        list(properties) if depth == 0 else list(properties)[: schema.get("minProperties", 0)]
    )
    others = schema.get("additionalProperties", True)
    value: dict[str, Any] = {}
    for name in wanted:
        below = properties.get(name, True if isinstance(others, bool) else others)
        for found in _samples(below, root=root, text=text, depth=depth + 1, variant=variant):
            if problem_of(found, below, root=root) is None:
                value[name] = found
                break
        else:
            # Without it the object is none: whatever else it needs is not looked for.
            break
    return value


def _array(schema: Mapping[str, Any], *, root: Any, text: str, depth: int) -> list[Any]:
    first = list(schema.get("prefixItems", ()))
    most = schema.get("maxItems", math.inf)
    length = min(max(schema.get("minItems", 0), len(first), 1 if depth < FREE_DEEP else 0), most)
    items: list[Any] = []
    for number in range(int(length)):
        below = first[number] if number < len(first) else schema.get("items", True)
        variant = number if schema.get("uniqueItems") else 0
        for found in _samples(below, root=root, text=text, depth=depth + 1, variant=variant):
            if problem_of(found, below, root=root) is None:
                items.append(found)
                break
        else:
            break
    return items


def _texts(schema: Mapping[str, Any], text: str, variant: int) -> Iterator[str]:
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    ending = f" {variant + 1}" if variant else ""
    by_format = TEXTS_BY_FORMAT.get(str(schema.get("format")))
    tried = [by_format] if by_format is not None else [text + ending]
    if "pattern" in schema:
        tried += [
            *TEXTS_BY_FORMAT.values(),
            *_TRIED,
            *(one * least for one in ("a", "A", "0")),
            *_literal(schema["pattern"]),
        ]
    for one in tried:
        padded = one if "pattern" in schema else one.ljust(least, ".")
        yield padded if most is None or "pattern" in schema else padded[:most]


def _literal(pattern: str) -> Iterator[str]:
    """The texts that a pattern spells out: `^(low|high)$`."""
    plain = re.fullmatch(r"\^?\(?(?:\?:)?([\w |-]+)\)?\$?", pattern)
    if plain is not None:
        yield from plain[1].split("|")


def _number(schema: Mapping[str, Any], variant: int, *, whole: bool) -> int | float:
    step = schema.get("multipleOf", 1)
    low = schema.get("minimum", schema.get("exclusiveMinimum", -math.inf))
    high = schema.get("maximum", schema.get("exclusiveMaximum", math.inf))
    value: float = 0
    if low > 0 or ("exclusiveMinimum" in schema and low >= 0):
        value = math.ceil(low / step) * step
        value += step if "exclusiveMinimum" in schema and value <= low else 0
    elif high < 0 or ("exclusiveMaximum" in schema and high <= 0):
        value = math.floor(high / step) * step
        value -= step if "exclusiveMaximum" in schema and value >= high else 0
    value += variant * step
    if not whole and not low <= value <= high:
        value = (low + high) / 2
    return int(value) if whole or value == int(value) else value
