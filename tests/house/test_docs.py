"""The documents name what there is: every check, every guard, every act, every event that a reader would look up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from marg_mock_model.machine_form import WhenForm
from marg_scenarios.checks.check import Check
from marg_scenarios.forms import ExpectForm, ScenarioForm, TurnForm

SCENARIOS = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")


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
