"""The whole file of a scenario."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from marg_mock_model.form import Absent, Form
from marg_scenarios.forms.fields import Truth, Yes
from marg_scenarios.forms.fixture_form import FixtureForm, Turns
from marg_scenarios.forms.turn_form import ID_PATTERN, OnRed, TurnForm

RowId = Annotated[str, Field(pattern=ID_PATTERN)]


class _HeadForm(Form):
    """What a scenario's file says of it, above its turns."""

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
    on_red: OnRed = Field(default="continue", description="Whether the turns after a red are played.")
    rehearse: Yes | Absent = Field(
        default=None,
        description="The gate is open, and a double takes the writes in the backend's place: nothing reaches that.",
    )
    include: list[str] = Field(default_factory=list, description="Files of fixtures, from this file's folder.")
    parameters: Annotated[dict[str, Any], Field(min_length=1)] | Absent = Field(
        default=None, description="What the turns may name in braces, each with its value where a row gives none."
    )
    rows: Annotated[dict[RowId, dict[str, Any]], Field(min_length=1)] | Absent = Field(
        default=None, description="Row by id: the scenario is played once for each, with these parameters."
    )
    fixtures: Annotated[dict[str, FixtureForm], Field(min_length=1)] | Absent = Field(
        default=None, description="Turns that this scenario uses in several places, by name."
    )


class OutlineForm(_HeadForm):
    """A scenario's file before its fixtures and parameters are put in: the turns can be anything yet."""

    turns: Turns


class ScenarioForm(_HeadForm):
    """A scripted conversation with its checks."""

    turns: Annotated[list[TurnForm], Field(min_length=1)]
