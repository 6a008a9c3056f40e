"""The forms of scenario and fixture files, as pydantic reads them, and their JSON Schemas."""

from marg_scenarios.forms.expect_form import ExpectForm
from marg_scenarios.forms.fixture_form import FixtureFileForm
from marg_scenarios.forms.scenario_form import OutlineForm, ScenarioForm
from marg_scenarios.forms.schema import fixtures_schema, scenario_schema
from marg_scenarios.forms.turn_form import TurnForm, UseForm

__all__ = [
    "ExpectForm",
    "FixtureFileForm",
    "OutlineForm",
    "ScenarioForm",
    "TurnForm",
    "UseForm",
    "fixtures_schema",
    "scenario_schema",
]
