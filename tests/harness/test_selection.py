"""Choosing scenarios: by tag, by name, by the reds of the last run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from marg_harness.replay import load_all, replay
from marg_harness.selection import Selection
from marg_reports import scrubbed_run
from marg_runtime.errors import UsageError
from marg_scenarios import Scenario

RED = "  - say: hello\n    expect: {draft: {priority: high}}\n"


@pytest.fixture
def scenarios(small: Callable[..., Path], tmp_path: Path) -> Sequence[Scenario]:
    small("one", more="tags: [fast, gate]\n")
    small("two", more="tags: [gate]\n", turns=RED)
    small("Three")
    return load_all([tmp_path])


def names(selection: Selection, scenarios: Sequence[Scenario]) -> set[str]:
    return {scenario.name for scenario in selection.chosen(scenarios)}


def test_nothing_asked_for_chooses_everything(scenarios: Sequence[Scenario]) -> None:
    assert names(Selection(), scenarios) == {"one", "two", "Three"}


def test_one_of_the_tags_is_enough(scenarios: Sequence[Scenario]) -> None:
    assert names(Selection(tags=["fast"]), scenarios) == {"one"}
    assert names(Selection(tags=["fast", "gate"]), scenarios) == {"one", "two"}


def test_a_name_chooses_by_a_part_whatever_the_case(scenarios: Sequence[Scenario]) -> None:
    assert names(Selection(names=["thr"]), scenarios) == {"Three"}


def test_the_reds_of_the_last_run_are_chosen(scenarios: Sequence[Scenario]) -> None:
    assert names(Selection(reds_of=replay(scenarios)), scenarios) == {"two"}


def test_a_tag_that_is_nobodys_is_refused_with_those_there_are(scenarios: Sequence[Scenario]) -> None:
    with pytest.raises(UsageError, match="no scenario has the tag 'slow'; there are fast, gate"):
        Selection(tags=["slow"]).chosen(scenarios)


def test_a_choice_of_nothing_is_refused_with_what_was_asked(scenarios: Sequence[Scenario]) -> None:
    with pytest.raises(UsageError, match="none of 3 scenarios is chosen by the name 'four'"):
        Selection(names=["four"]).chosen(scenarios)


def test_a_red_whose_title_has_a_secret_is_found_in_a_record_that_has_none(
    small: Callable[..., Path], tmp_path: Path
) -> None:
    small("with sk-a1b2c3d4e5f6g7h8", turns=RED)
    small("another")
    loaded = load_all([tmp_path])
    assert names(Selection(reds_of=scrubbed_run(replay(loaded))), loaded) == {"with sk-a1b2c3d4e5f6g7h8"}
