"""`marg scenario`: check, list, show and format on the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg

HEAD = "scenario: a small one\ndomain: support_intake\n"
ROWS = "tags: [a, b]\nrows:\n  one: {reply: hi}\n  two: {reply: ho}\nturns:\n  - id: it\n    say: '{reply}'\n"
FIXTURES = "fixtures:\n  greeted: {turns: [{say: Hello, expect: {reading: content}}]}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty present folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder: Path, text: str, *, name: str = "x.scenario.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(marg, ["scenario", *arguments])


def test_check_counts_files_and_scenarios(folder: Path) -> None:
    written(folder, HEAD + ROWS)
    found = run("check")
    assert (found.exit_code, found.stdout) == (0, "1 file, 2 scenarios: all can be replayed\n")


def test_check_names_what_is_wrong_with_every_file(folder: Path) -> None:
    for name in ("x", "y"):
        written(folder, HEAD + "turns: [{sya: hi}]\n", name=f"{name}.scenario.yaml")
    found = run("check")
    assert found.exit_code == 2
    assert found.stdout.count("unknown key 'sya'") == 2
    assert found.stdout.endswith("2 files, 0 scenarios: 2 files cannot be used\n")


def test_check_prints_json(folder: Path) -> None:
    written(folder, HEAD + "turns: [{sya: hi}]\n")
    printed = json.loads(run("check", "--json").stdout)
    assert (printed["files"], printed["scenarios"], len(printed["errors"])) == (1, 0, 1)


def test_list_has_each_row_by_itself(folder: Path) -> None:
    written(folder, HEAD + ROWS)
    lines = run("list").stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == ["a small one[one]", "a small one[two]"]


def test_list_takes_tags(folder: Path) -> None:
    written(folder, HEAD + ROWS)
    written(folder, HEAD + "turns: [{say: hi}]\n", name="y.scenario.yaml")
    printed = json.loads(run("list", "--tag", "a", "--tag", "b", "--json").stdout)
    assert [(one["row"], one["tags"], one["turns"]) for one in printed] == [
        ("one", ["a", "b"], 1),
        ("two", ["a", "b"], 1),
    ]


def test_show_prints_a_scenario_as_it_is_played_with_places(folder: Path) -> None:
    written(folder, FIXTURES, name="x.fixtures.yaml")
    path = written(folder, HEAD + "include: [x.fixtures.yaml]\nturns:\n  - use: greeted\n  - tap: High\n")
    assert run("show", str(path)).stdout == (
        "a small one\n"
        "   1  say-hello: Hello  (x.fixtures.yaml:2)\n"
        "        reading (runtime)\n"
        "   2  tap-high: [taps High]  (x.scenario.yaml:6)\n"
    )


def test_show_takes_a_row(folder: Path) -> None:
    path = written(folder, HEAD + ROWS)
    printed = json.loads(run("show", str(path), "--row", "two", "--json").stdout)
    assert [(one["row"], one["turns"][0]["act"]) for one in printed] == [("two", "ho")]


def test_format_writes_files_anew_and_then_leaves_them(folder: Path) -> None:
    path = written(folder, "turns: [{say: hi}]\n" + HEAD)
    assert run("format").stdout == "x.scenario.yaml: is written anew\n1 file, 1 changed\n"
    assert path.read_text(encoding="utf-8") == HEAD + "turns:\n  - say: hi\n"
    assert run("format").stdout == "1 file, 0 changed\n"


def test_format_check_writes_nothing(folder: Path) -> None:
    path = written(folder, "turns: [{say: hi}]\n" + HEAD)
    found = run("format", "--check")
    assert (found.exit_code, path.read_text(encoding="utf-8")) == (1, "turns: [{say: hi}]\n" + HEAD)


def test_format_takes_files_of_fixtures(folder: Path) -> None:
    path = written(folder, FIXTURES, name="x.fixtures.yaml")
    run("format", str(path))
    assert path.read_text(encoding="utf-8") == (
        "fixtures:\n  greeted:\n    turns:\n      - say: Hello\n        expect: {reading: content}\n"
    )
