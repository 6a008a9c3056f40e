"""The JSON Schemas of scenario and fixture files, for editors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from marg_mock_model.form import Form
from marg_scenarios.forms.fixture_form import FixtureFileForm
from marg_scenarios.forms.scenario_form import ScenarioForm
from marg_scenarios.forms.turn_form import TurnForm, UseForm

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# A parameter may stand wherever a value may: "{calls}" for a count too. Texts take it as it is.
PARAMETER = {"type": "string", "pattern": r"^\{[A-Za-z_]\w*\}$"}
_CLOSED = ("integer", "boolean")
# Whole calls and faults come as parameters too: a scenario's rows differ in nothing else.
_WHOLE = ("calls", "tools")


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file."""
    return _schema(ScenarioForm, title="Marg scenario")


def fixtures_schema() -> dict[str, Any]:
    """The JSON Schema of a file of fixtures."""
    return _schema(FixtureFileForm, title="Marg fixtures")


def _schema(form: type[Form], *, title: str) -> dict[str, Any]:
    every: Any = form | TurnForm | UseForm
    whole = TypeAdapter(every).json_schema(by_alias=True)
    parts = whole["$defs"]
    turns = {"anyOf": [{"$ref": "#/$defs/TurnForm"}, {"$ref": "#/$defs/UseForm"}]}
    for holder in (parts.get("FixtureForm"), parts.get(form.__name__)):
        if holder is not None and "turns" in holder["properties"]:
            holder["properties"]["turns"]["items"] = turns
    for schema in parts.values():
        if schema is not parts.get(form.__name__):
            _open_to_parameters(schema)
    head = parts.pop(form.__name__)
    return {"$schema": SCHEMA_DIALECT, **head, "$defs": parts, "title": title}


def _open_to_parameters(schema: dict[str, Any]) -> None:
    """Let a parameter stand in every property that takes no free text."""
    for name, below in schema.get("properties", {}).items():
        if name in _WHOLE:
            _open_parts(below)
        if name == "calls" or any(_is_closed(part) for part in _parts(below)):
            kept = {key: below.pop(key) for key in list(below) if key not in ("description", "default", "title")}
            schema["properties"][name] = {**below, "anyOf": [*kept.pop("anyOf", [kept]), PARAMETER]}


def _open_parts(schema: dict[str, Any]) -> None:
    for part in _parts(schema):
        for key in ("items", "additionalProperties"):
            if isinstance(part.get(key), dict):
                part[key] = {"anyOf": [part[key], PARAMETER]}


def _parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from schema.get("anyOf", [schema])


def _is_closed(schema: dict[str, Any]) -> bool:
    return schema.get("type") in _CLOSED or "const" in schema or "enum" in schema
