"""Schemas that are none: each is named with the place of what it cannot hold."""

from __future__ import annotations

import re
from typing import Any

import pytest

from marg_mock_model.schema import schema_problem


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ([], r"\$ is"),
        ({"type": "text"}, r"\$\.type"),
        ({"type": {"a": 1}}, r"\$\.type"),
        ({"enum": 5}, r"\$\.enum"),
        ({"required": 5}, r"\$\.required"),
        ({"properties": ["a"]}, r"\$\.properties"),
        ({"properties": {"a": {"pattern": "("}}}, r"\$\.properties\.a\.pattern"),
        ({"$defs": {"n": {"minimum": "3"}}}, r"\$\.\$defs\.n\.minimum"),
        ({"items": {"multipleOf": 0}}, r"\$\.items\.multipleOf"),
        ({"allOf": 5}, r"\$\.allOf"),
        ({"anyOf": [{}, {"minLength": -1}]}, r"\$\.anyOf\[1\]\.minLength"),
        ({"additionalProperties": "no"}, r"\$\.additionalProperties"),
    ],
)
def test_what_a_schema_cannot_hold_is_named_with_its_place(schema: Any, place: str) -> None:
    problem = schema_problem(schema)
    assert problem is not None
    assert re.match(place, problem)


def test_a_schema_with_every_keyword_is_one() -> None:
    thing = {"type": ["string", "null"], "pattern": "^a", "minLength": 0, "enum": ["a", None], "description": "any"}
    parts = {
        "items": {"$ref": "#/$defs/thing"},
        "prefixItems": [True],
        "anyOf": [{"minimum": 0.5}],
        "not": {"const": 1},
    }
    assert schema_problem({"$defs": {"thing": thing}, "properties": {"a": parts}, "required": ["a"]}) is None
