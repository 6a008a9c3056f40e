"""The skill text of the example domain holds what the gate and the steps count on."""

from __future__ import annotations

from importlib.resources import files

import pytest

pytestmark = pytest.mark.wheel

RULE = "Never call create_ticket before the user has confirmed the summary; the runtime creates the ticket."


@pytest.fixture
def skill() -> str:
    return files("marg_scenarios.support_intake").joinpath("skill.md").read_text(encoding="utf-8")


def test_G6_the_rule_stands_on_a_line_of_its_own(skill: str) -> None:
    assert skill.splitlines().count(RULE) == 1


@pytest.mark.parametrize("tool", ["propose(slot, value, quote)", "reopen(step)", "search_tickets(", "reference_data("])
def test_the_skill_text_names_every_tool_that_the_model_may_use(skill: str, tool: str) -> None:
    assert f"`{tool}" in skill


@pytest.mark.parametrize("owned", ["title", "priority", "category", "visibility", "attachment", "confirmation"])
def test_the_skill_text_forbids_every_question_that_the_runtime_owns(skill: str, owned: str) -> None:
    (forbidding,) = [line for line in skill.splitlines() if line.startswith("Never ask for")]
    assert owned in forbidding
