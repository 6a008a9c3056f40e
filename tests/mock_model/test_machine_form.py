"""The JSON Schema of a machine's file: editors refuse what the loader refuses."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from marg_mock_model import parse_machine
from marg_mock_model.machine_form import machine_schema
from marg_runtime.errors import LocatedError


def machine(**transition: Any) -> dict[str, Any]:
    return {"machine": "m", "start": "a", "states": {"a": {"transitions": [{"when": {}, "to": "a", **transition}]}}}


def test_the_schema_is_itself_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(machine_schema())


@pytest.mark.parametrize(
    "transition",
    [
        {"reply": "x"},
        {"silent": True},
        {"calls": [{"propose": {"slot": "title", "value": None}}], "finish": "stop"},
        {"reply": "x", "when": {"user": "a", "last": "user", "facts": ["b"], "call": 2, "result_is_error": True}},
    ],
)
def test_schema_and_loader_accept(transition: dict[str, Any]) -> None:
    jsonschema.validate(machine(**transition), machine_schema())
    assert parse_machine(json.dumps(machine(**transition)), path="m.yaml").name == "m"


@pytest.mark.parametrize(
    "transition",
    [
        {"repli": "x"},
        {"reply": ["x"]},
        {"reply": "x", "when": {"last": "model"}},
        {"reply": "x", "when": {"call": 0}},
        {"reply": "x", "when": {"facts": []}},
        {"calls": [{"a": {}, "b": {}}]},
        {"calls": [{}]},
        {"reply": "x", "finish": "later"},
    ],
)
def test_schema_and_loader_refuse(transition: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(machine(**transition), machine_schema())
    with pytest.raises(LocatedError):
        parse_machine(json.dumps(machine(**transition)), path="m.yaml")


def test_no_key_has_null_as_its_default() -> None:
    assert '"default": null' not in json.dumps(machine_schema())
