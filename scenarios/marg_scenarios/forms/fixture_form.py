"""Fixtures: lists of turns that scenarios share, in a file of their own or in a scenario's."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from marg_mock_model.form import Absent, Form
from marg_scenarios.forms.turn_form import TurnForm, UseForm

Turns = Annotated[list[dict[str, Any]], Field(min_length=1)]


class FixtureForm(Form):
    """Turns to be used in several places, and the parameters that their texts may name in braces."""

    about: str = ""
    parameters: Annotated[dict[str, Any], Field(min_length=1)] | Absent = Field(
        default=None, description="Each parameter with its value where none is given."
    )
    turns: Turns


class FixtureFileForm(Form):
    """A file of fixtures, `*.fixtures.yaml`."""

    about: str = ""
    include: list[str] = Field(default_factory=list)
    fixtures: Annotated[dict[str, FixtureForm], Field(min_length=1)]


class TurnsForm(Form):
    """The turns of a fixture, once its parameters have their values."""

    turns: list[TurnForm | UseForm]
