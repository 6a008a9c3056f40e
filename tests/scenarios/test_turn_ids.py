"""Ids of turns and checks: what names a red must not move when a scenario grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_runtime.errors import LocatedError
from marg_scenarios import Scenario, load_scenario

HEAD = "scenario: a small one\ndomain: support_intake\nturns:\n"
TURNS = (
    "  - say: My login fails!\n    expect: {reading: content, model_calls: 2}\n",
    "  - tap: High\n    expect: {draft: {priority: high}}\n",
    "  - submit: {values: {title: T, details: D}}\n",
    "  - reload: true\n    expect: {redraws: true}\n",
)


def scenario(folder: Path, *turns: str) -> Scenario:
    path = folder / "x.scenario.yaml"
    path.write_text(HEAD + "".join(turns), encoding="utf-8")
    return load_scenario(path)


def ids(folder: Path, *turns: str) -> list[str]:
    return [turn.id for turn in scenario(folder, *turns).turns]


def check_ids(found: Scenario) -> set[tuple[str, str]]:
    return {(turn.id, check.id) for turn in found.turns for check in turn.checks}


def test_an_id_is_made_from_the_act(tmp_path: Path) -> None:
    assert ids(tmp_path, *TURNS) == ["say-my-login-fails", "tap-high", "submit-title-details", "reload"]


def test_a_declared_id_stands(tmp_path: Path) -> None:
    assert ids(tmp_path, "  - {id: report, say: hi}\n", TURNS[1]) == ["report", "tap-high"]


def test_a_made_id_has_six_words_of_the_text_at_most(tmp_path: Path) -> None:
    assert ids(tmp_path, "  - say: one two three four five six seven\n") == ["say-one-two-three-four-five-six"]


def test_a_text_with_no_latin_word_is_named_by_its_act(tmp_path: Path) -> None:
    assert ids(tmp_path, "  - say: हाँ\n", TURNS[1]) == ["say", "tap-high"]


def test_a_second_turn_of_the_same_act_needs_an_id_of_its_own(tmp_path: Path) -> None:
    # Numbered ids would move when another turn of that act is inserted before it.
    with pytest.raises(LocatedError, match=r":6: the turn is called 'tap-high' by what it does, and so is the one at"):
        scenario(tmp_path, TURNS[1], TURNS[1])
    assert ids(tmp_path, TURNS[1], "  - {id: again, tap: High}\n") == ["tap-high", "again"]


@pytest.mark.parametrize("place", range(len(TURNS) + 1))
def test_ids_of_turns_stay_when_another_turn_is_inserted(tmp_path: Path, place: int) -> None:
    grown = ids(tmp_path, *TURNS[:place], "  - say: something else\n", *TURNS[place:])
    assert [name for name in grown if name != "say-something-else"] == ids(tmp_path, *TURNS)


@pytest.mark.parametrize("place", range(len(TURNS) + 1))
def test_ids_of_checks_stay_when_another_turn_is_inserted(tmp_path: Path, place: int) -> None:
    inserted = "  - say: something else\n    expect: {reading: content}\n"
    grown = check_ids(scenario(tmp_path, *TURNS[:place], inserted, *TURNS[place:]))
    assert grown == check_ids(scenario(tmp_path, *TURNS)) | {("say-something-else", "reading")}


def test_the_id_of_a_check_stays_when_another_check_is_added(tmp_path: Path) -> None:
    more = TURNS[1].replace("{draft", "{facts: [x], block: title, draft")
    assert ("tap-high", "draft") in check_ids(scenario(tmp_path, more)) & check_ids(scenario(tmp_path, TURNS[1]))


def test_a_declared_id_that_two_turns_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LocatedError, match=r":5: 'id' is 'one', which two turns have; rename one\."):
        scenario(tmp_path, "  - {id: one, say: hi}\n", "  - {id: one, say: ho}\n")


@pytest.mark.parametrize(
    "turns", [("say: a", "{id: say-a, reload: true}"), ("{id: say-a, reload: true}", "say: a"), ("say: a", "say: A!")]
)
def test_no_two_turns_share_an_id(tmp_path: Path, turns: tuple[str, ...]) -> None:
    with pytest.raises(LocatedError, match="say-a"):
        scenario(tmp_path, *(f"  - {turn}\n" for turn in turns))


@pytest.mark.parametrize("word", ["latest", "7"])
def test_an_id_is_no_word_of_seen_and_no_revision(tmp_path: Path, word: str) -> None:
    with pytest.raises(LocatedError, match=f":4: 'id' is '{word}', a word of 'seen'; choose another"):
        scenario(tmp_path, f"  - id: {word}\n    say: hi\n")


def test_acts_at_once_are_named_after_their_turn(tmp_path: Path) -> None:
    turns = "  - {id: double, concurrent: [{tap: High}, {tap: High}, {id: own, tap: Low}]}\n"
    assert [turn.id for turn in scenario(tmp_path, "  - say: hi\n", turns).played] == [
        "say-hi",
        "double-1",
        "double-2",
        "own",
    ]
