"""The cases of a probe: one known-good record with one thing changed at a time, and the words for what came of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from marg_runtime.canonical import Json
from marg_runtime.domain import CONFIRMED, IDEMPOTENCY_KEY

Says = Literal["accepts", "refuses", "silent"]
"""What the tool's schema says of a case; `silent` where a schema cannot say it."""

Did = Literal["accepted", "refused", "same record", "broke", "not tried"]
"""What the backend did: made a record, turned the call down, gave an earlier record again, broke, was not asked."""

ProbeVerdict = Literal["enforced", "not enforced", "schema lies", "stricter", "broke", "not tried"]

WHOLE = "*"
"""The field of a case that is about the whole record."""

LONG_CHARACTERS = 10_000
LONG_ITEMS = 1_000
LARGE_NUMBER = 10**15
UNKNOWN_TEXT = "no such value"
UNKNOWN_FIELD = "marg_probe_unknown"
STRIPPED, NULL, EMPTY, BLANK, LONGER = "stripped", "null", "empty", "blank", "longer than "


@dataclass(frozen=True, kw_only=True)
class Case:
    """A case: the field that it changes, its name, and the record as it is sent, less the runtime's own arguments."""

    field: str
    name: str
    arguments: Mapping[str, Json]


def cases_of(
    schema: Mapping[str, Json], record: Mapping[str, Json], *, closed: frozenset[str] = frozenset()
) -> tuple[Case, ...]:
    """The cases of a record, field by field in the schema's order, then those of the whole record.

    closed: fields whose values come from a list, beside those that the schema itself gives an enum. A field of the
    schema that the record does not have is not probed: there is no good value of it to change.
    """
    found: list[Case] = []
    for field in _ordered(schema, record):
        described = _described(schema, field)
        stripped = {name: value for name, value in record.items() if name != field}
        found.append(Case(field=field, name=STRIPPED, arguments=stripped))
        for name, value in _values(record[field], described, closed=field in closed).items():
            found.append(Case(field=field, name=name, arguments={**record, field: value}))
    found.append(Case(field=WHOLE, name="unknown field", arguments={**record, UNKNOWN_FIELD: "x"}))
    found.append(Case(field=WHOLE, name="everything stripped", arguments={}))
    return tuple(found)


def verdict_of(says: Says, did: Did) -> ProbeVerdict:
    """The verdict on what the schema says and the backend did."""
    if did == "broke" or did == "not tried":
        return did
    if did == "accepted":
        return "schema lies" if says == "refuses" else "not enforced"
    return "stricter" if says == "accepts" else "enforced"


def says_of(schema: Mapping[str, Json], arguments: Mapping[str, Json]) -> Says:
    """Whether a JSON Schema accepts these arguments. Needs the extra `mcp`, whose SDK brings the validator."""
    from jsonschema import Draft202012Validator

    return "accepts" if Draft202012Validator(dict(schema)).is_valid(dict(arguments)) else "refuses"


def completed(schema: Mapping[str, Json], arguments: Mapping[str, Json], *, key: str) -> dict[str, Json]:
    """The arguments with those of the runtime's own that the tool takes: `confirmed`, and this idempotency key."""
    own: dict[str, Json] = {CONFIRMED: True, IDEMPOTENCY_KEY: key}
    return {**arguments, **{name: value for name, value in own.items() if takes(schema, name)}}


def takes(schema: Mapping[str, Json], argument: str) -> bool:
    """Whether a schema lists an argument."""
    properties = schema.get("properties")
    return isinstance(properties, Mapping) and argument in properties


def _ordered(schema: Mapping[str, Json], record: Mapping[str, Json]) -> list[str]:
    properties = schema.get("properties")
    known = [name for name in properties if name in record] if isinstance(properties, Mapping) else []
    return [*known, *(name for name in record if name not in known)]


def _described(schema: Mapping[str, Json], field: str) -> Mapping[str, Json]:
    """What a schema says of a field, the alternatives of `anyOf` taken together."""
    properties = schema.get("properties")
    one = properties.get(field) if isinstance(properties, Mapping) else None
    if not isinstance(one, Mapping):
        return {}
    merged: dict[str, Json] = dict(one)
    alternatives = one.get("anyOf")
    for other in alternatives if isinstance(alternatives, Sequence) and not isinstance(alternatives, str) else ():
        merged |= {name: part for name, part in other.items() if name != "type"} if isinstance(other, Mapping) else {}
    return merged


def _values(good: Json, described: Mapping[str, Json], *, closed: bool) -> dict[str, Json]:
    """The values to send in place of a good one, by the name of the case."""
    values: dict[str, Json] = {NULL: None, **dict(_other_types(good))}
    if isinstance(good, str):
        values |= {EMPTY: "", BLANK: " ", **dict(_long_texts(good, described))}
        if closed or "enum" in described or "const" in described:
            values["unknown value"] = UNKNOWN_TEXT
            if good.swapcase() != good:
                values["another case"] = good.swapcase()
    elif isinstance(good, bool):
        pass
    elif isinstance(good, int | float):
        values |= dict(_far_numbers(described))
    elif isinstance(good, Sequence):
        values |= {EMPTY: [], f"{LONGER}{LONG_ITEMS - 1} items": [*good, *(list(good)[:1] * LONG_ITEMS)][:LONG_ITEMS]}
    elif isinstance(good, Mapping):
        values[EMPTY] = {}
    return values


def _other_types(good: Json) -> Iterator[tuple[str, Json]]:
    if not isinstance(good, str):
        yield "a text", str(good)
    if isinstance(good, bool) or not isinstance(good, int | float):
        yield "a number", 7
    if not isinstance(good, bool):
        yield "a truth value", True
    if isinstance(good, str | Mapping) or not isinstance(good, Sequence):
        yield "a list", [good]
    if not isinstance(good, Mapping):
        yield "an object", {"value": good}


def _long_texts(good: str, described: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    limit = described.get("maxLength")
    if isinstance(limit, int):
        yield f"{LONGER}{limit}", _stretched(good, limit + 1)
    if not isinstance(limit, int) or limit < LONG_CHARACTERS:
        yield f"{LONGER}{LONG_CHARACTERS - 1}", _stretched(good, LONG_CHARACTERS)


def _stretched(good: str, length: int) -> str:
    return (good + "x" * length)[:length]


def _far_numbers(described: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    highest, lowest = described.get("maximum"), described.get("minimum")
    yield "too large", highest + 1 if isinstance(highest, int | float) else LARGE_NUMBER
    yield "too small", lowest - 1 if isinstance(lowest, int | float) else -1
