"""Replaying: the shipped scenarios are green, what breaks is a red, and the record is the same everywhere."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import pytest

from marg_harness.paths import shown_path
from marg_harness.replay import load_all, replay, replay_scenario, run_of
from marg_reports import RunRecord, ScenarioRecord, lines_of
from marg_runtime.errors import UsageError
from marg_runtime.gate import WRITE_FLAG
from marg_scenarios import SayTurn, Scenario, find_kit, load_scenario
from marg_scenarios.checks.reading import ReadingCheck
from marg_scenarios.forms import ExpectForm
from marg_scenarios.support_intake.kit import DeskBackend

FEWEST_SCENARIOS, FEWEST_CHECKS = 12, 60  # issue 2
POST = ("Yes but change the title to login fails", "Keep this private please", "No, create it later")
MACHINE = """
machine: small
start: listening
states:
  listening:
    transitions:
      - {when: {user: hello}, reply: Hi there., to: waiting}
  waiting:
    transitions:
      - {when: {user_matches: "(?i)^bye", last: user}, reply: Bye., to: listening}
"""
KIT = """
from dataclasses import replace
from marg_runtime.steps import chips_step
from marg_scenarios.support_intake.kit import KIT as SHIPPED
async def options(context):
    raise RuntimeError("the domain broke")

STEP = chips_step(key="title", label="T", slot="title", lead="What?", options=options)
DOMAIN = replace(SHIPPED.domain, steps=(STEP, *SHIPPED.domain.steps[1:]))
KIT = replace(SHIPPED, domain=DOMAIN, machine=SHIPPED.scenarios / "only_listens.machine.yaml")
"""


def written(folder: Path, turns: str, *, name: str = "x", domain: str = "support_intake") -> Path:
    """A scenario of its own machine, small enough for one test."""
    (folder / "small.machine.yaml").write_text(MACHINE, encoding="utf-8")
    machine = "machine: small.machine.yaml\n" if domain == "support_intake" else ""
    path = folder / f"{name}.scenario.yaml"
    path.write_text(f"scenario: {name}\ndomain: {domain}\n{machine}turns:\n{turns}", encoding="utf-8")
    return path


def replayed(folder: Path, turns: str) -> ScenarioRecord:
    return replay_scenario(load_scenario(written(folder, turns)))


def crashing(folder: Path) -> Path:
    """A scenario whose domain raises in its second turn's flow."""
    name = f"kit_{folder.name}"
    (folder / f"{name}.py").write_text(KIT, encoding="utf-8")
    return written(folder, "  - reload: true\n  - say: hello\n  - say: more\n", name="crashing", domain=f"{name}:KIT")


@pytest.fixture(scope="module")
def shipped() -> tuple[Scenario, ...]:
    return load_all([find_kit("support_intake").scenarios])


@pytest.fixture(scope="module")
def run(shipped: tuple[Scenario, ...], shipped_run: RunRecord) -> RunRecord:
    """The shipped scenarios, replayed where the caller allows writes."""
    paths = {shown_path(scenario.path) for scenario in shipped}
    return run_of(scenario for scenario in shipped_run.scenarios if scenario.path in paths)


@pytest.mark.wheel
def test_the_shipped_scenarios_are_green(run: RunRecord) -> None:
    assert [red.id for red in run.reds()] == []


@pytest.mark.wheel
def test_enough_scenarios_and_checks_ship(shipped: tuple[Scenario, ...], run: RunRecord) -> None:
    assert len(run.scenarios) == len(shipped)
    assert len(run.scenarios) >= FEWEST_SCENARIOS
    assert sum(len(scenario.checks) for scenario in run.scenarios) >= FEWEST_CHECKS


@pytest.mark.wheel
def test_every_shipped_scenario_comes_to_its_end(run: RunRecord) -> None:
    assert [s.name for s in run.scenarios if len(s.turns) != s.turns_planned] == []


@pytest.mark.wheel
def test_every_shipped_scenario_checks_something(run: RunRecord) -> None:
    assert [scenario.name for scenario in run.scenarios if not scenario.checks] == []


@pytest.mark.wheel
def test_G8_the_backend_itself_counts_no_write_where_the_caller_allows_writes(run: RunRecord) -> None:
    assert {scenario.writes for scenario in run.scenarios} == {0}


@pytest.mark.wheel
@pytest.mark.parametrize("message", POST)
def test_a_message_of_the_post_is_content_with_no_write(run: RunRecord, message: str) -> None:
    turns = [
        turn
        for scenario in run.scenarios
        for turn in scenario.turns
        if turn.transcript[0].text == message and "gate" in {check.id for check in turn.checks}
    ]
    expected = [{check.id: check.expected for check in turn.checks} for turn in turns]
    assert [(found["reading"], found["gate"]) for found in expected] == [("content", ())]


def test_every_kind_of_check_is_used_by_a_shipped_scenario(run: RunRecord) -> None:
    assert {check.kind for scenario in run.scenarios for check in scenario.checks} == set(ExpectForm.model_fields) - {
        "canonical"
    }


def test_G8_a_replay_leaves_the_flag_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WRITE_FLAG, "true")
    replayed(tmp_path, "  - say: hello\n")
    assert os.environ[WRITE_FLAG] == "true"


def test_each_scenario_is_handed_over_as_it_ends(tmp_path: Path) -> None:
    scenarios = load_all([written(tmp_path, "  - say: hello\n", name=name) for name in ("a", "b")])
    handed: list[str] = []
    replay(scenarios, on_scenario=lambda record: handed.append(record.name))
    assert handed == ["a", "b"]


def test_a_scenario_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, "  - say: hello\n    expect: {model_calls: 1}\n"))
    assert replay_scenario(scenario) == replay_scenario(scenario)


def test_a_turn_puts_its_act_its_answer_and_its_ledger_on_record(tmp_path: Path) -> None:
    turn = replayed(tmp_path, "  - say: hello\n").turns[0]
    assert [(line.by, line.text) for line in turn.transcript[:2]] == [("user", "hello"), ("model", "Hi there.")]
    assert [event["kind"] for event in turn.events if isinstance(event, dict)][:3] == [
        "ActQueued",
        "UserSaid",
        "ReplyRead",
    ]
    assert len(turn.request_digests) == 1


def test_a_failed_check_is_a_red_and_the_turns_after_it_still_run(tmp_path: Path) -> None:
    record = replayed(
        tmp_path, "  - say: hello\n    expect: {model_calls: 5}\n  - reload: true\n    expect: {model_calls: 0}\n"
    )
    assert [(check.expected, check.got, check.passed) for check in record.checks] == [(5, 1, False), (0, 0, True)]


def test_an_undeclared_situation_is_a_red_with_state_input_and_nearest_transition(tmp_path: Path) -> None:
    record = replayed(tmp_path, "  - say: hello\n  - say: what\n  - say: never\n")
    (check,) = record.checks
    assert (check.kind, check.owner, check.passed, check.line) == ("undeclared", "model", False, 6)
    for part in ("'waiting'", "the user said 'what'", "small.machine.yaml:10", "user_matches '(?i)^bye'"):
        assert part in str(check.got)


@pytest.mark.parametrize(
    "part",
    [
        "small.machine.yaml:8: the mock model's state 'waiting'",
        '- {when: {user: "what"}, reply: "...", to: waiting}',
        'model: {text: "..."}',
        "machine: FILE",
    ],
)
def test_an_undeclared_situation_says_what_to_do_next(tmp_path: Path, part: str) -> None:
    (check,) = replayed(tmp_path, "  - say: hello\n  - say: what\n").checks
    assert part in str(check.got)


def test_an_undeclared_situation_names_a_shipped_machine_by_its_place_in_its_package(tmp_path: Path) -> None:
    path = tmp_path / "mine.scenario.yaml"
    path.write_text("scenario: mine\ndomain: support_intake\nturns:\n  - say: The printer is on fire!\n")
    (check,) = replay_scenario(load_scenario(path)).checks
    assert "marg_scenarios/support_intake/support_intake.machine.yaml:7: " in str(check.got)


def test_an_undeclared_situation_ends_its_scenario(tmp_path: Path) -> None:
    record = replayed(tmp_path, "  - say: hello\n  - say: what\n  - say: never\n")
    assert (len(record.turns), record.turns_planned) == (2, 3)


def test_a_crash_of_the_runtime_is_a_red_with_the_error_and_its_place(tmp_path: Path) -> None:
    (check,) = replay_scenario(load_scenario(crashing(tmp_path))).checks
    assert (check.kind, check.owner, check.passed, check.line) == ("crash", "runtime", False, 5)
    assert str(check.got).startswith(f"RuntimeError: the domain broke (at kit_{tmp_path.name}.py:6 < ")


def test_a_crash_ends_its_scenario_and_no_other(tmp_path: Path) -> None:
    run = replay(load_all([crashing(tmp_path), written(tmp_path, "  - say: hello\n    expect: {model_calls: 1}\n")]))
    found = [
        (scenario.name, len(scenario.turns), [check.passed for check in scenario.checks]) for scenario in run.scenarios
    ]
    assert sorted(found) == [("crashing", 2, [False]), ("x", 1, [True])]


def test_a_crash_names_no_folder_of_this_machine(tmp_path: Path) -> None:
    (check,) = replay_scenario(load_scenario(crashing(tmp_path))).checks
    assert str(tmp_path) not in str(check.got)


def test_an_undeclared_situation_names_no_folder_of_this_machine(tmp_path: Path) -> None:
    (check,) = replayed(tmp_path, "  - say: hello\n  - say: what\n").checks
    assert str(tmp_path) not in str(check.got)


def test_a_tap_on_what_is_not_shown_is_a_red_of_what_was_wanted_and_what_was_shown(tmp_path: Path) -> None:
    record = replayed(tmp_path, "  - say: hello\n  - tap: High\n  - say: bye\n")
    (check,) = record.checks
    assert (check.kind, check.owner, check.line, len(record.turns)) == ("not_shown", "runtime", 6, 2)
    assert (check.expected, check.got) == ("the option 'High'", "nothing to tap in the block of 'title'")


def test_a_backend_that_does_not_come_up_is_a_red_of_its_scenario_and_the_others_run(tmp_path: Path) -> None:
    def broken() -> DeskBackend:
        raise OSError("no disk")

    good = load_scenario(written(tmp_path, "  - say: hello\n    expect: {model_calls: 1}\n", name="good"))
    bad = dataclasses.replace(good, name="bad", kit=dataclasses.replace(good.kit, backend=broken))
    found = {scenario.name: scenario.checks for scenario in replay([bad, good]).scenarios}
    assert [(check.kind, check.passed) for check in found["good"]] == [("model_calls", True)]
    assert [(check.kind, check.owner) for check in found["bad"]] == [("crash", "runtime")]
    assert str(found["bad"][0].got).startswith("OSError: no disk (at ")


def test_a_check_that_raises_is_a_red_of_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(check: object, observation: object) -> None:
        raise RuntimeError("the check broke")

    monkeypatch.setattr(ReadingCheck, "evaluate", broken)
    checks = replayed(tmp_path, "  - say: hello\n    expect: {reading: content}\n  - reload: true\n").checks
    assert [(check.kind, check.raised, str(check.got)[:29]) for check in checks] == [
        ("reading", "check", "RuntimeError: the check broke")
    ]


def test_the_order_of_running_changes_no_byte_of_the_record(tmp_path: Path) -> None:
    scenarios = load_all([written(tmp_path, "  - say: hello\n", name=name) for name in ("b", "a", "c")])
    assert list(lines_of(replay(scenarios))) == list(lines_of(replay(scenarios[::-1])))


def test_a_file_that_is_named_in_two_ways_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "  - say: hello\n")
    monkeypatch.chdir(tmp_path)
    assert len(load_all([path, Path(path.name), Path(".") / path.name])) == 1


def test_a_path_is_shown_from_the_present_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown_path(tmp_path / "a" / "b.yaml") == "a/b.yaml"


def test_a_path_outside_the_present_folder_is_shown_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert shown_path(Path("..") / "b.yaml") == (tmp_path / "b.yaml").resolve().as_posix()


def test_a_file_that_is_named_twice_is_loaded_once(tmp_path: Path) -> None:
    path = written(tmp_path, "  - say: hello\n")
    assert [scenario.path for scenario in load_all([path, tmp_path])] == [path]


def test_the_first_unusable_file_stops_the_loading(tmp_path: Path) -> None:
    written(tmp_path, "  - say: hello\n", name="a")
    path = written(tmp_path, "  - sya: hello\n", name="b")
    with pytest.raises(UsageError, match=rf"{path.name}:5: unknown key 'sya'"):
        load_all([tmp_path])


def test_two_replays_give_the_same_bytes(shipped: tuple[Scenario, ...], run: RunRecord) -> None:
    # Whole files: a file's rows stand together in the record.
    files = list(dict.fromkeys(scenario.path for scenario in shipped))[:4]
    again = replay([scenario for scenario in shipped if scenario.path in files])
    lines = [line for line in lines_of(run) if json.loads(line).get("path") in {s.path for s in again.scenarios}]
    assert lines == list(lines_of(again))[1:]


def test_what_the_user_types_is_replayed_as_it_is_written(tmp_path: Path) -> None:
    path = written(tmp_path, '  - say: "\\e[31m[/b] \\0 yes"\n')
    assert load_scenario(path).turns[0].act == SayTurn(text="\x1b[31m[/b] \x00 yes")
    assert replay_scenario(load_scenario(path)).turns[0].transcript[0].text == "\x1b[31m[/b] \x00 yes"


def test_the_record_has_a_line_for_every_check(run: RunRecord) -> None:
    lines = [line for line in lines_of(run) if json.loads(line)["record"] == "check"]
    assert len(lines) == sum(len(scenario.checks) for scenario in run.scenarios)
