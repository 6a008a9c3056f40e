"""The documents name what there is: every check, every guard, every act, every event that a reader would look up."""

from __future__ import annotations

import re
from inspect import signature
from pathlib import Path
from typing import Any, get_args

import pytest

from marg_mock_model.machine_form import WhenForm
from marg_runtime.models import AnthropicModel, OpenAIModel
from marg_runtime.wire import WireKind
from marg_scenarios.checks.check import Check
from marg_scenarios.forms import ExpectForm, ScenarioForm, TurnForm

SCENARIOS = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
MODELS = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def _kinds(kind: type) -> dict[str, str]:
    found: dict[str, str] = {}
    below: Any
    for below in kind.__subclasses__():
        found[str(below.kind)] = str(below.owner)
        found |= _kinds(below)
    return found


@pytest.mark.parametrize("name", [*ScenarioForm.model_fields, *TurnForm.model_fields])
def test_every_key_of_a_scenario_is_documented(name: str) -> None:
    assert f"| `{name}` |" in SCENARIOS


@pytest.mark.parametrize(("kind", "owner"), sorted(_kinds(Check).items()))
def test_every_check_is_documented_with_its_owner(kind: str, owner: str) -> None:
    assert f"| `{kind}` | {owner} |" in SCENARIOS


def test_every_key_of_expect_is_a_check() -> None:
    # `canonical` declares something of the checks beside it.
    assert set(ExpectForm.model_fields) - {"canonical"} == set(_kinds(Check))


@pytest.mark.parametrize("name", list(WhenForm.model_fields))
def test_every_guard_of_a_machine_is_documented(name: str) -> None:
    assert f"`{name}`" in SCENARIOS


@pytest.mark.parametrize("kind", [kind for kind in get_args(WireKind) if not kind.startswith("mcp_")])
def test_every_kind_of_fault_of_a_models_wire_is_documented(kind: str) -> None:
    assert f"| `{kind}` |" in MODELS


@pytest.mark.parametrize("option", sorted({*signature(OpenAIModel).parameters, *signature(AnthropicModel).parameters}))
def test_every_option_of_a_model_is_documented_where_it_is_made(option: str) -> None:
    shown = " ".join((OpenAIModel.__doc__ or "", AnthropicModel.__doc__ or "", MODELS))
    assert re.search(rf"\b{option}\b", shown, re.IGNORECASE)
