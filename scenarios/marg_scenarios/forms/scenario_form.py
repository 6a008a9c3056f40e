"""The whole file of a scenario."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from marg_mock_model import Absent, Form
from marg_scenarios.forms.fields import Truth
from marg_scenarios.forms.turn_form import TurnForm

SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class ScenarioForm(Form):
    """A scripted conversation with its checks."""

    scenario: Annotated[str, Field(min_length=1, description="What the scenario shows, in a sentence.")]
    about: str = Field(default="", description="Why it is there, and whose failure it repeats.")
    domain: str = Field(
        default=":KIT",
        description="A shipped domain's name, `package.module:attribute` of a kit, or `:attribute` in the nearest "
        "`kit.py` of this folder and those above; by default the `KIT` there.",
    )
    machine: str | Absent = Field(
        default=None, description="The mock machine's file, from this file's folder; by default the domain's own."
    )
    tags: list[str] = Field(default_factory=list)
    in_order: Truth = Field(
        default=False, description="The channel delivers in order: a message without `seen` has seen the last answer."
    )
    turns: Annotated[list[TurnForm], Field(min_length=1)]


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file, for editors."""
    schema = ScenarioForm.model_json_schema(by_alias=True)
    return {"$schema": SCHEMA_DIALECT, **schema, "title": "Marg scenario"}
