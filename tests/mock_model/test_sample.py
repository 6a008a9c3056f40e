"""Values that are made for a schema: valid, and as small where a schema names itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from marg_mock_model.errors import BadRequest
from marg_mock_model.schema import problem_of, sample_of

AGAIN_OR_NOTHING = {"anyOf": [{"$ref": "#"}, {"type": "null"}]}


def thing(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


@pytest.mark.parametrize(
    "schema",
    [
        thing(left=AGAIN_OR_NOTHING, right=AGAIN_OR_NOTHING),
        thing(children={"type": "array", "items": {"$ref": "#"}}, more={"type": "array", "items": {"$ref": "#"}}),
        thing(next=AGAIN_OR_NOTHING, name={"type": "string", "enum": ["a"]}),
    ],
)
def test_a_schema_that_names_itself_more_than_once_has_a_small_value(schema: dict[str, Any]) -> None:
    value = sample_of(schema)
    assert problem_of(value, schema) is None
    assert len(json.dumps(value)) < 2_000


def test_a_schema_that_no_value_can_end_is_given_up() -> None:
    with pytest.raises(BadRequest, match="no value was found"):
        sample_of(thing(left={"$ref": "#"}, right={"$ref": "#"}))
