"""Scenarios: scripted conversations with checks, their loader and schema, and the example domain."""

from marg_scenarios.checks import Check, Owner, Verdict
from marg_scenarios.forms import fixtures_schema, scenario_schema
from marg_scenarios.kit import Backend, Kit
from marg_scenarios.kit_finder import find_kit
from marg_scenarios.loader import find_scenarios, load_scenario, load_scenarios
from marg_scenarios.observation import Observation
from marg_scenarios.scenario import Scenario
from marg_scenarios.turn import ReloadTurn, SayTurn, SubmitTurn, TapTurn, Turn

__all__ = [
    "Backend",
    "Check",
    "Kit",
    "Observation",
    "Owner",
    "ReloadTurn",
    "SayTurn",
    "Scenario",
    "SubmitTurn",
    "TapTurn",
    "Turn",
    "Verdict",
    "find_kit",
    "find_scenarios",
    "fixtures_schema",
    "load_scenario",
    "load_scenarios",
    "scenario_schema",
]
