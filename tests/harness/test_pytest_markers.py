"""Tags are markers, names are nodes, and JUnit says where a scenario is written."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest

import marg_harness.pytest_items  # noqa: F401  Loaded once: an inner run forgets what it was the first to import.
from marg_harness.target import ReferenceTarget
from marg_scenarios import find_kit

pytest_plugins = ["pytester"]

ReferenceTarget().prepare([])
find_kit("support_intake").backend().close()

MACHINE = """\
machine: m
start: a
slips:
  - {slip: empty, rate: 0.5}
states:
  a:
    transitions:
      - {when: {user_matches: hello}, reply: Hi., to: a}
"""
HEAD = "domain: support_intake\nmachine: small.machine.yaml\n"
GREEN = "turns:\n  - say: hello\n    expect: {model_calls: 1}\n"
RED = "turns:\n  - say: hello\n    expect: {model_calls: 2}\n"
Add = Callable[..., None]


@pytest.fixture
def add(pytester: pytest.Pytester) -> Add:
    """Write a scenario into a user's project with a machine; markers are strict there."""
    (pytester.path / "small.machine.yaml").write_text(MACHINE, encoding="utf-8")
    pytester.makeini("[pytest]\naddopts = --strict-markers -p no:cacheprovider\n")

    def write(title: str, *, tags: str = "", turns: str = GREEN, rows: str = "") -> None:
        tagged = f"tags: [{tags}]\n" if tags else ""
        text = f"scenario: '{title}'\n{HEAD}{tagged}{rows}{turns}"
        name = re.sub(r"\W+", "_", title)
        (pytester.path / f"{name}.scenario.yaml").write_text(text, encoding="utf-8")

    return write


def test_a_tag_is_a_marker_though_markers_are_strict(add: Add, pytester: pytest.Pytester) -> None:
    add("one", tags="gate")
    add("two", tags="reader, gate-two")
    pytester.runpytest_inprocess("-m", "gate").assert_outcomes(passed=1, deselected=1)
    pytester.runpytest_inprocess("-m", "gate_two and not gate").assert_outcomes(passed=1, deselected=1)


def test_the_markers_of_tags_are_listed(add: Add, pytester: pytest.Pytester) -> None:
    add("one", tags="gate")
    pytester.runpytest_inprocess("--markers").stdout.fnmatch_lines(["@pytest.mark.marg: a scenario of marg's*"])


@pytest.mark.parametrize("word", ["skip", "tryfirst"])
def test_a_tag_that_pytest_has_a_meaning_for_means_nothing_to_it(
    add: Add, pytester: pytest.Pytester, word: str
) -> None:
    add("one", tags=word)
    pytester.runpytest_inprocess("-m", f"tag_{word}").assert_outcomes(passed=1)


def test_scenarios_are_chosen_among_other_tests(add: Add, pytester: pytest.Pytester) -> None:
    add("one")
    pytester.makepyfile("def test_other(): pass")
    pytester.runpytest_inprocess("-m", "marg").assert_outcomes(passed=1, deselected=1)


@pytest.mark.parametrize("title", ["a:: b::c", "a [x] of it", "a yes, and no", "~ % & ü", "with [a::b] in it"])
def test_a_copied_node_id_runs_its_scenario(add: Add, pytester: pytest.Pytester, title: str) -> None:
    add(title)
    add("other", turns=RED)
    listed = pytester.runpytest_inprocess("--collect-only", "-q").stdout.lines
    (node,) = [line for line in listed if ".scenario.yaml::" in line and not line.startswith("other")]
    pytester.runpytest_inprocess(node).assert_outcomes(passed=1)


def test_a_copied_node_id_runs_one_row(add: Add, pytester: pytest.Pytester) -> None:
    turns = "turns:\n  - say: '{word}'\n    expect: {model_calls: 1}\n"
    add("rows", rows="rows:\n  one: {word: hello}\n  two: {word: hello you}\n", turns=turns)
    pytester.runpytest_inprocess("rows.scenario.yaml::rows[two]").assert_outcomes(passed=1)


def test_junit_says_where_a_scenario_is_written_its_tags_and_its_reds(add: Add, pytester: pytest.Pytester) -> None:
    add("one", tags="gate", turns=RED)
    pytester.runpytest_inprocess("--junitxml=junit.xml")
    found = ElementTree.parse(pytester.path / "junit.xml").getroot().iter("property")
    assert [(one.get("name"), one.get("value")) for one in found] == [
        ("marg.scenario", "one.scenario.yaml:1"),
        ("marg.tag", "gate"),
        ("marg.turns", "1"),
        ("marg.checks", "1"),
        ("marg.red", "one.scenario.yaml::one::say-hello::model_calls"),
    ]


def test_the_seed_of_the_slips_is_an_option(add: Add, pytester: pytest.Pytester) -> None:
    add("one", turns="turns:\n  - say: hello\n    expect: {text: {contains: [Hi.]}}\n")
    seen = {tuple(pytester.runpytest_inprocess(f"--marg-seed={seed}").parseoutcomes()) for seed in range(4)}
    assert {name for names in seen for name in names} >= {"passed", "failed"}
