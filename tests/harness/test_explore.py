"""`marg explore` on the command line, and a violation's shortest path as a scenario that a replay shows red."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.explored_kit import explored
from marg_harness.path_scenario import path_scenario
from marg_harness.replay import load_all, replay
from marg_harness.target import ReferenceTarget
from marg_runtime import gate
from marg_runtime.decide import acts, binding, questions
from marg_runtime.explore import Found, explore
from marg_scenarios import find_kit


def run(*words: str) -> Result:
    return CliRunner().invoke(marg, ["explore", *words])


def test_G1_to_G10_nothing_is_found_in_the_example_domain_within_four_acts() -> None:
    result = run("support_intake", "--depth", "4", "--breadth", "narrow", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["violations"] == 0
    assert found["transitions"] > found["states"] > 10_000
    assert found["write_offered"] == found["model_requests"] > 0
    decisions = found["decisions"]
    assert min(decisions["go_ahead_allowed"], decisions["go_ahead_refused"], decisions["model_call_refused"]) > 0
    assert decisions["model_call_allowed"] == 0


def test_G7_calls_that_read_are_let_through_and_others_are_not() -> None:
    found = json.loads(run("support_intake", "--depth", "1", "--json").stdout)
    assert found["violations"] == 0
    assert min(found["decisions"]["reads"], found["decisions"]["model_call_refused"]) > 0


def test_the_kinds_of_step_of_the_second_domain_bring_their_letters() -> None:
    found = json.loads(run("room_booking", "--depth", "1", "--breadth", "narrow", "--json").stdout)
    assert found["violations"] == 0
    assert {"person: search a picker", "person: submit chosen options", "person: submit good fields"} <= set(
        found["alphabet"]
    )


def test_G6_without_the_guard_the_exit_code_is_1_and_the_path_is_printed() -> None:
    result = run("support_intake", "--depth", "1", "--breadth", "narrow", "--without", "guard", "--until-found", "-q")
    assert result.exit_code == 1
    assert "violation (1 time): the gate lets no model write" in result.stdout
    assert "scenario: a path that an exploration found" in result.stdout


def test_G8_the_flag_of_the_process_is_neither_read_nor_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARG_ALLOW_WRITES", "true")
    result = run("support_intake", "--depth", "1", "--breadth", "narrow", "--flag", "off", "--json")
    assert json.loads(result.stdout)["writes"] == 0


def test_a_domain_that_is_not_there_is_exit_code_2() -> None:
    result = run("support_intak")
    assert "did you mean 'support_intake'?" in str(result.exception)


def _gate_forgets_what_was_displayed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "_displayed_refusal", lambda asked_at, delivered_at, go_ahead: None)


def _any_typed_answer_counts(patch: pytest.MonkeyPatch) -> None:
    plain = binding.typed_unbound
    patch.setattr(acts, "typed_unbound", lambda state, *, seen, queued: plain(state, seen=queued, queued=queued))


def _the_card_is_dropped(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(questions, "redraw", lambda book, **_: None)


def _anybody_may_go_ahead(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gate, "_who_refusal", lambda surroundings, tool, go_ahead: None)


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "the gate forgets what was displayed": _gate_forgets_what_was_displayed,
    "any typed answer counts": _any_typed_answer_counts,
    "the card is dropped": _the_card_is_dropped,
    "anybody may go ahead": _anybody_may_go_ahead,
}


def first_found() -> Found:
    kit = find_kit("support_intake")
    with explored(kit) as kept:
        options: dict[str, Any] = {"specs": kept.specs, "load": kept.load, "breadth": "narrow", "until_found": True}
        found = explore(kit.domain, depth=1, **options)
    return found.found[0]


def reds(path: Path) -> int:
    return len(replay(load_all([path]), target=ReferenceTarget()).reds())


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_the_path_to_a_violation_replays_red_and_is_green_once_the_hole_is_closed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        PLANTED[name](patch)
        made = path_scenario(first_found(), domain="support_intake", flag=True)
        file = tmp_path / "found.scenario.yaml"
        file.write_text(made.text, encoding="utf-8")
        assert made.unsaid == ()
        assert reds(file) > 0
    assert reds(file) == 0
