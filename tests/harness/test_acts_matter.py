"""Acts of the example domain's scenarios that lead to what is shown: without one of them the scenario turns red."""

from __future__ import annotations

from dataclasses import replace

import pytest

from marg_harness.replay import replay_scenario
from marg_scenarios import find_kit, load_scenarios

FOLDER = find_kit("support_intake").scenarios


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("never_mind_is_no_note", "audience"),
        ("read_the_second_one", "nothing-attached"),
        ("submit_elsewhere", "nothing-attached"),
    ],
)
def test_a_scenario_that_never_came_to_its_question_is_red(name: str, turn: str) -> None:
    scenario = load_scenarios(FOLDER / f"{name}.scenario.yaml")[0]
    left = tuple(one for one in scenario.turns if one.id != turn)
    record = replay_scenario(replace(scenario, turns=left))
    assert (len(left), [check.kind for check in record.checks if check.red]) == (len(scenario.turns) - 1, ["question"])
