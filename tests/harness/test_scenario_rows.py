"""The rows of a scenario in records, reds and pytest: each is a scenario of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marg_harness.replay import load_all, replay
from marg_reports import RunRecord, lines_of, red_text

pytest_plugins = ["pytester"]

TEXT = """scenario: a table
domain: support_intake
rows:
  one: {said: Hello, calls: 1}
  two: {said: how soon?, calls: 2}
turns:
  - id: it
    say: "{said}"
    expect: {model_calls: "{calls}"}
"""
FIXTURES = "fixtures:\n  greeted:\n    turns:\n      - say: Hello\n        expect: {model_calls: 9}\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunRecord:
    """A table of which the second row is red, and a scenario that is red in a fixture."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.scenario.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "x.fixtures.yaml").write_text(FIXTURES, encoding="utf-8")
    (tmp_path / "user.scenario.yaml").write_text(
        "scenario: a user\ndomain: support_intake\ninclude: [x.fixtures.yaml]\nturns: [{use: greeted}]\n",
        encoding="utf-8",
    )
    return replay(load_all([tmp_path]))


def test_a_row_is_a_record_of_its_own(run: RunRecord) -> None:
    assert [(found.title, found.row) for found in run.scenarios] == [
        ("a table[one]", "one"),
        ("a table[two]", "two"),
        ("a user", None),
    ]


def test_a_red_is_named_with_its_row(run: RunRecord) -> None:
    assert [red.id for red in run.reds()] == [
        "table.scenario.yaml::a table[two]::it::model_calls",
        "user.scenario.yaml::a user::say-hello::model_calls",
    ]


def test_a_red_in_a_fixture_is_placed_in_the_fixtures_file(run: RunRecord) -> None:
    table, user = run.reds()
    assert red_text(table).startswith("table.scenario.yaml:9: a table[two]\n")
    assert Path(user.place).name == "x.fixtures.yaml:5"


def test_every_line_of_the_record_names_the_row(run: RunRecord) -> None:
    lines = [json.loads(line) for line in lines_of(run)]
    named = [(line["record"], line.get("row")) for line in lines if line.get("scenario") == "a table"]
    assert named == [(kind, row) for row in ("one", "two") for kind in ("scenario", "turn", "check")]


def test_a_row_is_one_item_in_pytest(pytester: pytest.Pytester) -> None:
    (pytester.path / "table.scenario.yaml").write_text(TEXT, encoding="utf-8")
    found = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-v", "-k", "one")
    found.stdout.fnmatch_lines(["table.scenario.yaml::a table[[]one[]] PASSED*", "*1 passed, 1 deselected*"])
