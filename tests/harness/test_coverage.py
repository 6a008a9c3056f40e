"""Coverage: what is declared, what of it was used, and where the rest stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from marg_harness.coverage import Coverage, coverage_of
from marg_harness.replay import load_all, replay
from marg_scenarios import find_kit

PLAIN_YES = find_kit("support_intake").scenarios / "plain_yes.scenario.yaml"


@pytest.fixture(scope="module")
def coverage() -> Coverage:
    """Of the one scenario in which everything is answered and confirmed."""
    scenarios = load_all([PLAIN_YES])
    return coverage_of(scenarios, replay(scenarios))


def names(coverage: Coverage, kind: str, *, used: bool) -> set[str]:
    return {item.name for item, times in coverage.times.items() if item.kind == kind and bool(times) == used}


def test_the_steps_whose_questions_were_drawn_are_used(coverage: Coverage) -> None:
    assert {"priority", "category", "visibility", "confirm"} <= names(coverage, "step", used=True)


def test_a_step_that_no_scenario_asks_is_named_with_its_line_in_the_domain(coverage: Coverage) -> None:
    title = next(item for item in coverage.unused() if (item.kind, item.name) == ("step", "title"))
    file, line = title.place.rsplit(":", 1)
    assert 'key="title"' in Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1]


def test_an_option_counts_once_it_was_drawn_and_is_used_once_it_was_chosen(coverage: Coverage) -> None:
    options = {item.name: times for item, times in coverage.times.items() if item.kind == "option"}
    assert options["confirm: Create"] > 0
    assert options["confirm: Not yet"] == 0


def test_both_words_of_every_layer_are_to_be_covered(coverage: Coverage) -> None:
    assert len(coverage.of("gate")) == 6


def test_an_unused_transition_is_named_with_its_line_in_the_machine(coverage: Coverage) -> None:
    unused = [item for item in coverage.unused() if item.kind == "transition"]
    assert unused
    assert all(".machine.yaml:" in item.place for item in unused)


def test_what_the_kit_excuses_is_not_unused_and_says_why() -> None:
    scenarios = load_all([PLAIN_YES])
    kit = replace(scenarios[0].kit, excused={"step title": "proposed by the model in all but one"})
    excusing = [replace(scenario, kit=kit) for scenario in scenarios]
    coverage = coverage_of(excusing, replay(excusing))
    assert "title" not in {item.name for item in coverage.unused() if item.kind == "step"}
    assert [item.name for item in coverage.excused] == ["title"]


def test_the_record_counts_used_of_all(coverage: Coverage) -> None:
    steps = coverage.record()["used"]["step"]
    assert steps["used"] == len(names(coverage, "step", used=True))
    assert steps["all"] == len(coverage.of("step"))
