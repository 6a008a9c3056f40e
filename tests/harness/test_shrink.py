"""A red is shrunk to the fewest turns that still show it (issue 5, Show 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_harness.replay import replay_scenario
from marg_harness.shrink import Shrunk, identity_of, shrink, smallest
from marg_harness.target import ReferenceTarget
from marg_reports import Red, RunRecord
from marg_runtime.errors import UsageError
from marg_scenarios import Scenario, load_scenario, load_scenarios

WriteScenario = Callable[..., Path]

# It goes off at the third word, and only after two charges, whatever else is said between them.
GUN = """\
machine: gun
start: empty
states:
  empty:
    transitions:
      - {when: {user_matches: ^charge}, reply: One., to: half}
      - {when: {user_matches: .}, reply: Nothing., to: empty}
  half:
    transitions:
      - {when: {user_matches: ^charge}, reply: Two., to: full}
      - {when: {user_matches: .}, reply: Nothing., to: half}
  full:
    transitions:
      - {when: {user_matches: ^fire}, reply: Boom., to: empty}
      - {when: {user_matches: .}, reply: Nothing., to: full}
"""
GREEN_CHECK = "\n    expect: {reading: content, write: {}}"
FIRE = "  - id: fire\n    say: fire?\n    expect:\n      reading: content\n      text: {lacks: [Boom.]}\n"
IDLE = "  - {id: idle-N, say: word number N?}\n"


def said(number: int) -> str:
    """The turns of the planted red: charges at 7 and 19, the shot at 28, and checks that would go red on the way."""
    if number in (7, 19):
        return f"  - id: charge-{number}\n    say: charge {number}?{GREEN_CHECK}\n"
    return FIRE if number == 28 else IDLE.replace("N", str(number))


THIRTY = "".join(said(number) for number in range(1, 31))


def shrunk(path: Path, *, row: str | None = None) -> Shrunk:
    scenario = load_scenario(path, row=row)
    return shrink(scenario, first_red(scenario), target=ReferenceTarget())


def first_red(scenario: Scenario) -> Red:
    return RunRecord(version="", scenarios=(replay_scenario(scenario),)).reds()[0]


def test_a_planted_red_of_thirty_turns_shrinks_to_its_three_which_load_and_show_the_same_red_and_no_other(
    small: WriteScenario,
) -> None:
    path = small(turns=THIRTY, machine=GUN)
    before = first_red(load_scenario(path))
    found = shrunk(path)
    assert (found.before, found.turns) == (30, ("charge-7", "charge-19", "fire"))
    assert found.text.startswith("# Shrunk from a_small_one.scenario.yaml: 3 of 30 turns show its red fire::text.\n")
    path.write_text(found.text, encoding="utf-8")
    run = RunRecord(version="", scenarios=(replay_scenario(load_scenario(path)),))
    assert [identity_of(red.check, turn=red.turn_record.id) for red in run.reds()] == [
        identity_of(before.check, turn="fire")
    ]
    assert [turn.id for turn in run.scenarios[0].turns] == ["charge-7", "charge-19", "fire"]


def test_a_row_is_shrunk_with_its_own_values(small: WriteScenario) -> None:
    rows = "rows:\n  loud: {word: fire}\n  soft: {word: hush}\n"
    turns = "".join(said(number).replace("say: fire?", "say: '{word}?'") for number in (6, 7, 19, 28))
    path = small(turns=turns, more=rows, machine=GUN)
    found = shrunk(path, row="loud")
    path.write_text(found.text, encoding="utf-8")
    (scenario,) = load_scenarios(path)
    assert (scenario.name, [turn.id for turn in scenario.turns]) == ("a small one[loud]", list(found.turns))


def test_turns_that_others_refer_to_stay_with_them(small: WriteScenario) -> None:
    turns = (
        "  - {id: one, say: word?}\n  - {id: two, say: word?}\n  - {id: three, say: word?}\n"
        "  - {id: last, say: word?, seen: two, expect: {model_calls: 5}}\n"
    )
    assert shrunk(small(turns=turns, machine=GUN)).turns == ("two", "last")


def test_an_undeclared_situation_is_shrunk_too(small: WriteScenario) -> None:
    turns = "  - {id: one, say: hello}\n  - {id: two, say: again}\n  - {id: three, say: what}\n"
    assert shrunk(small(turns=turns)).turns == ("three",)


def test_acts_at_once_are_one_turn(small: WriteScenario) -> None:
    turns = (
        "  - {id: one, say: word?}\n"
        "  - id: both\n    concurrent:\n      - {say: word?}\n      - {say: word?, expect: {model_calls: 9}}\n"
    )
    assert shrunk(small(turns=turns, machine=GUN)).turns == ("both",)


def test_a_red_that_does_not_come_again_is_refused(small: WriteScenario) -> None:
    path = small(turns="  - {say: hello, expect: {model_calls: 2}}\n")
    red = first_red(load_scenario(path))
    path.write_text(path.read_text(encoding="utf-8").replace("model_calls: 2", "model_calls: 3"), encoding="utf-8")
    with pytest.raises(UsageError, match="the red is not there when its turns are replayed"):
        shrink(load_scenario(path), red, target=ReferenceTarget())


@given(st.sets(st.integers(0, 39), min_size=1))
def test_exactly_what_is_needed_is_left(needed: set[int]) -> None:
    def shows(items: Sequence[int]) -> bool:
        return needed <= set(items)

    assert smallest(range(40), shows) == sorted(needed)


@given(st.sets(st.integers(0, 19), min_size=1), st.sets(st.integers(0, 19), min_size=1))
def test_nothing_of_what_is_left_can_be_left_out(one: set[int], other: set[int]) -> None:
    def shows(items: Sequence[int]) -> bool:
        return one <= set(items) or other <= set(items)

    left = smallest(range(20), shows)
    assert shows(left)
    assert not any(shows([item for item in left if item != gone]) for gone in left)
