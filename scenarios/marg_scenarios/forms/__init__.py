"""The form of a scenario file, as pydantic reads it, and its JSON Schema."""

from marg_scenarios.forms.expect_form import ExpectForm
from marg_scenarios.forms.scenario_form import ScenarioForm, scenario_schema
from marg_scenarios.forms.turn_form import TurnForm

__all__ = ["ExpectForm", "ScenarioForm", "TurnForm", "scenario_schema"]
