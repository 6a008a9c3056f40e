"""Whether a JSON value is valid against a JSON Schema, for the part of JSON Schema that the model APIs take."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from marg_mock_model.hint import show
from marg_mock_model.schema.reference import resolved
from marg_runtime.canonical import canonical_json

MOST_DEEP = 64
"""How deep schemas and values are followed; what nests deeper is refused."""


def problem_of(value: Any, schema: Any, *, root: Any = None) -> str | None:
    """The first thing that makes a value invalid, with its place (`$.items[0]`); None where it is valid.

    `root` is the schema that references point into, by default the schema itself. Keywords outside of the part that is
    known (such as `format`) are annotations, as in the standard.
    """
    return next(_problems(value, schema, root=schema if root is None else root, at="$", depth=0), None)


def _problems(value: Any, schema: Any, *, root: Any, at: str, depth: int) -> Iterator[str]:
    if depth > MOST_DEEP:
        yield f"{at} nests deeper than {MOST_DEEP} levels"
        return
    if isinstance(schema, bool):
        if not schema:
            yield f"{at} is {show(value)}, where nothing is allowed"
        return
    schema = resolved(schema, root)
    yield from _of_kind(value, schema, at)
    yield from _of_size(value, schema, at)
    yield from _combined(value, schema, root=root, at=at, depth=depth)
    if isinstance(value, Mapping):
        yield from _of_object(value, schema, root=root, at=at, depth=depth)
    elif isinstance(value, list):
        yield from _of_array(value, schema, root=root, at=at, depth=depth)


def _of_kind(value: Any, schema: Mapping[str, Any], at: str) -> Iterator[str]:
    kinds = schema.get("type")
    if kinds is not None:
        named = [kinds] if isinstance(kinds, str) else list(kinds)
        if not any(_is(value, kind) for kind in named):
            yield f"{at} is {show(value)}, not of the type {' or '.join(named)}"
    if "const" in schema and not _same(value, schema["const"]):
        yield f"{at} is {show(value)}, not {show(schema['const'])}"
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        yield f"{at} is {show(value)}, not one of {show(schema['enum'])}"


def _is(value: Any, kind: str) -> bool:
    if kind in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return kind == "number" or (math.isfinite(value) and value == int(value))
    kinds: dict[str, Any] = {
        "string": str,
        "boolean": bool,
        "array": list,
        "object": Mapping,
        "null": type(None),
    }
    return isinstance(value, kinds.get(kind, ()))


def _same(one: Any, other: Any) -> bool:
    # JSON Schema: 1 and 1.0 are one number, and no number is a truth value.
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other
    return canonical_json(one) == canonical_json(other)


_LIMITS: Mapping[str, Callable[[Any, Any], bool]] = {
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "exclusiveMinimum": lambda value, limit: value > limit,
    "exclusiveMaximum": lambda value, limit: value < limit,
    "multipleOf": lambda value, limit: math.isclose(value / limit, round(value / limit), rel_tol=1e-9, abs_tol=1e-9),
}
_LENGTHS: Mapping[str, tuple[Any, bool]] = {
    "minLength": (str, True),
    "maxLength": (str, False),
    "minItems": (list, True),
    "maxItems": (list, False),
    "minProperties": (Mapping, True),
    "maxProperties": (Mapping, False),
}


def _of_size(value: Any, schema: Mapping[str, Any], at: str) -> Iterator[str]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        for name, holds in _LIMITS.items():
            if name in schema and not holds(value, schema[name]):
                yield f"{at} is {show(value)}, against {name} {schema[name]!r}"
    for name, (kind, is_least) in _LENGTHS.items():
        if name in schema and isinstance(value, kind):
            length = len(value)
            if length < schema[name] if is_least else length > schema[name]:
                yield f"{at} has the length {length}, against {name} {schema[name]!r}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{at} is {show(value)}, which does not match {schema['pattern']!r}"


def _combined(value: Any, schema: Mapping[str, Any], *, root: Any, at: str, depth: int) -> Iterator[str]:
    def fits(part: Any) -> bool:
        return next(_problems(value, part, root=root, at=at, depth=depth + 1), None) is None

    for part in schema.get("allOf", ()):
        yield from _problems(value, part, root=root, at=at, depth=depth + 1)
    if "anyOf" in schema and not any(map(fits, schema["anyOf"])):
        yield f"{at} is {show(value)}, which fits none of anyOf"
    if "oneOf" in schema and (fitting := sum(map(fits, schema["oneOf"]))) != 1:
        yield f"{at} is {show(value)}, which fits {fitting} of oneOf"
    if "not" in schema and fits(schema["not"]):
        yield f"{at} is {show(value)}, which fits what it must not"


def _of_object(value: Mapping[str, Any], schema: Mapping[str, Any], *, root: Any, at: str, depth: int) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at} lacks {name!r}"
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in properties:
            yield from _problems(item, properties[name], root=root, at=f"{at}.{name}", depth=depth + 1)
        elif others is False:
            yield f"{at} has {name!r}, which is not among its properties"
        else:
            yield from _problems(item, others, root=root, at=f"{at}.{name}", depth=depth + 1)


def _of_array(value: Sequence[Any], schema: Mapping[str, Any], *, root: Any, at: str, depth: int) -> Iterator[str]:
    first = schema.get("prefixItems", ())
    for number, item in enumerate(value):
        below = first[number] if number < len(first) else schema.get("items", True)
        yield from _problems(item, below, root=root, at=f"{at}[{number}]", depth=depth + 1)
    if schema.get("uniqueItems"):
        for number, item in enumerate(value):
            if any(_same(item, other) for other in value[:number]):
                yield f"{at}[{number}] is {show(item)} for the second time"
