"""The pytest plugin: scenarios are tests like any other, in a user's own run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import marg_harness.pytest_items  # noqa: F401  Loaded once: an inner run forgets what it was the first to import.
from marg_harness.target import ReferenceTarget
from marg_runtime.gate import WRITE_FLAG
from marg_scenarios import Scenario, find_kit
from marg_scenarios.support_intake.kit import DeskBackend

pytest_plugins = ["pytester"]

ReferenceTarget().prepare([])
find_kit("support_intake").backend().close()

HEAD = "domain: support_intake\nmachine: small.machine.yaml\nturns:\n"
MACHINE = (
    "machine: m\nstart: a\nstates:\n  a:\n    transitions:\n      - {when: {user_matches: hello}, reply: Hi., to: a}\n"
)
GREEN = "  - say: hello\n    expect: {model_calls: 1}\n"
RED = "  - say: hello\n    expect:\n      draft: {priority: high}\n"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A user's project with a machine and nothing else; what it runs is not the configuration of this one."""
    (pytester.path / "small.machine.yaml").write_text(MACHINE, encoding="utf-8")
    return pytester


def add(project: pytest.Pytester, name: str, turns: str, *, title: str | None = None) -> None:
    text = f"scenario: {json.dumps(title or f'scenario {name}')}\n{HEAD}{turns}"
    (project.path / f"{name}.scenario.yaml").write_text(text, encoding="utf-8")


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


def test_a_scenario_file_is_collected_as_one_test(project: pytest.Pytester) -> None:
    add(project, "one", GREEN)
    run(project, "-v").stdout.fnmatch_lines(["one.scenario.yaml::scenario one PASSED*", "*1 passed*"])


def test_other_yaml_files_are_left_alone(project: pytest.Pytester) -> None:
    (project.path / "other.yaml").write_text("a: [", encoding="utf-8")
    run(project).assert_outcomes()


def test_scenarios_are_listed_without_being_run(project: pytest.Pytester) -> None:
    add(project, "one", RED)
    result = run(project, "--collect-only", "-q")
    result.stdout.fnmatch_lines(["one.scenario.yaml::scenario one", "1 test collected*"])


def test_a_scenario_can_be_chosen_by_its_id(project: pytest.Pytester) -> None:
    add(project, "one", GREEN, title="a yes, but: [x] isn't one")
    add(project, "two", RED)
    run(project, "one.scenario.yaml::a yes, but: [x] isn't one").assert_outcomes(passed=1)


def test_a_scenario_can_be_chosen_by_a_word_of_its_name(project: pytest.Pytester) -> None:
    add(project, "one", GREEN, title="the first")
    add(project, "two", GREEN, title="the second")
    run(project, "-k", "second").assert_outcomes(passed=1, deselected=1)


def test_the_first_red_can_stop_the_run(project: pytest.Pytester) -> None:
    for name in ("a", "b"):
        add(project, name, RED)
    run(project, "-x").assert_outcomes(failed=1)


def test_only_what_failed_can_be_run_again(project: pytest.Pytester) -> None:
    add(project, "a", GREEN)
    add(project, "b", RED)
    project.runpytest_inprocess().assert_outcomes(passed=1, failed=1)
    project.runpytest_inprocess("--lf").assert_outcomes(failed=1)


def test_a_red_is_explained_with_file_line_turn_values_difference_and_transcript(project: pytest.Pytester) -> None:
    add(project, "one", RED)
    result = run(project)
    result.stdout.fnmatch_lines(
        [
            "one.scenario.yaml:7: scenario one",
            "  turn 1 (say-hello), check draft, owner runtime",
            '  expected    {"priority":"high"}',
            '  got         {"priority":null}',
            '  difference  priority: expected "high", got null',
            "  transcript",
            "     1  user     hello",
            "     1  model    Hi.",
            "     1  block    text: What should the ticket be called?",
            "FAILED one.scenario.yaml::scenario one*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_items.py*")


def test_hostile_text_is_shown_as_it_is_written(project: pytest.Pytester) -> None:
    turns = '  - say: "hello \\e[31m[/b] \\0 :smile:"\n    expect: {reading: plain_yes}\n'
    add(project, "one", turns, title="a [/b]\x1b[2J\x00b")
    result = run(project, "-v")
    shown = result.stdout.str()
    assert "user     hello \\x1b[31m[/b] \\x00 :smile:" in shown
    assert "a [/b]\\x1b[2J\\x00b" in shown
    assert "\x1b" not in shown
    assert "\x00" not in shown


def test_a_broken_file_is_a_collection_error_with_file_and_line_and_no_traceback(project: pytest.Pytester) -> None:
    add(project, "one", "  - sya: hello\n")
    add(project, "two", GREEN)
    result = run(project)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*one.scenario.yaml:5: unknown key 'sya' with the value 'hello'; did you mean 'say'?"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_items.py*")


def test_a_broken_machine_is_a_collection_error_at_the_machines_own_line(project: pytest.Pytester) -> None:
    add(project, "one", GREEN)
    (project.path / "small.machine.yaml").write_text(MACHINE.replace("to: a", "to: b"), encoding="utf-8")
    result = run(project)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*small.machine.yaml:6: 'to' is 'b', which is not a declared state; known here: 'a'."])


def test_an_undeclared_situation_fails_with_its_state(project: pytest.Pytester) -> None:
    add(project, "one", "  - say: what\n")
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  turn 1 (say-what), check undeclared, owner model", "*the user said 'what'*"])


def test_junit_can_be_read_whatever_was_said(project: pytest.Pytester) -> None:
    add(project, "one", '  - say: "hello \\e[31m \\0 <&"\n    expect: {reading: plain_yes}\n', title="a <&\x1b\x00b")
    add(project, "two", GREEN)
    run(project, "--junitxml=junit.xml")
    suite = ElementTree.parse(project.path / "junit.xml").getroot()[0]
    assert {key: suite.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "2",
        "failures": "1",
        "errors": "0",
    }
    assert [case.get("name") for case in suite.iter("testcase")] == ["a <&\\x1b\\x00b", "scenario two"]


def test_scenarios_run_on_several_workers(project: pytest.Pytester) -> None:
    add(project, "a", GREEN)
    add(project, "b", RED)
    result = project.runpytest_subprocess("-n", "2", "-p", "no:hypothesispytest", "-p", "no:inline_snapshot")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["b.scenario.yaml:7: scenario b"])


@pytest.mark.wheel
def test_G8_the_shipped_scenarios_pass_and_the_backend_counts_no_write_where_the_caller_allows_writes(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    close = DeskBackend.close

    def counted(backend: DeskBackend) -> None:
        counts.append(backend.writes())
        close(backend)

    monkeypatch.setattr(DeskBackend, "close", counted)
    monkeypatch.setenv(WRITE_FLAG, "true")
    pytester.makeini("[pytest]\n")
    folder, alone = find_kit("support_intake").scenarios, ("-c", "tox.ini", f"--confcutdir={pytester.path}")
    outcomes = run(pytester, *alone, str(folder)).parseoutcomes()
    assert (set(outcomes), set(counts), len(counts) >= 12) == ({"passed"}, {0}, True)


def test_G8_the_flag_is_gone_in_a_scenario_and_back_after_it(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    during: list[str | None] = []
    converse = ReferenceTarget.converse

    def seen(target: ReferenceTarget, scenario: Scenario) -> Any:
        during.append(os.environ.get(WRITE_FLAG))
        return converse(target, scenario)

    monkeypatch.setattr(ReferenceTarget, "converse", seen)
    monkeypatch.setenv(WRITE_FLAG, "true")
    add(project, "one", GREEN)
    after = f"import os\ndef pytest_runtest_teardown(item): print('after', os.environ.get({WRITE_FLAG!r}))\n"
    project.makeconftest(after)
    run(project, "-s").stdout.fnmatch_lines(["*after true"])
    assert (during, os.environ[WRITE_FLAG]) == ([None], "true")


def test_G8_a_kit_that_is_collected_does_not_find_the_flag_of_the_caller(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = "import os\nfrom marg_scenarios.support_intake.kit import KIT\n"
    project.makepyfile(looking_kit=f"{seen}assert {WRITE_FLAG!r} not in os.environ\n")
    monkeypatch.syspath_prepend(project.path)
    monkeypatch.setenv(WRITE_FLAG, "true")
    text = "scenario: s\ndomain: looking_kit:KIT\nturns:\n  - {reload: true, expect: {block: none}}\n"
    (project.path / "one.scenario.yaml").write_text(text, encoding="utf-8")
    assert run(project).parseoutcomes() == {"passed": 1}


LIGHT = """
import json, sys
import pytest
before = set(sys.modules)
import marg_harness.pytest_plugin
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""


@pytest.mark.wheel
def test_the_plugin_imports_nothing_but_the_harness_itself() -> None:
    command = [sys.executable, "-c", LIGHT]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent)
    assert json.loads(found.stdout) == ["marg_harness"]
