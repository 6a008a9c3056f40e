"""Scenarios built in Python are the objects of a file, at the place of the calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from marg_runtime.errors import LocatedError, UsageError
from marg_scenarios import Scenario, load_scenario, load_scenarios
from marg_scenarios.build import concurrent, forge, reload, restart, say, scenario, scenarios, submit, tap, use, wait

TEXT = """scenario: all acts
about: each once
domain: support_intake
tags: [a]
rehearse: true
fixtures:
  greeted: {turns: [{say: Hello}]}
turns:
  - use: greeted
  - say: "5"
    model: {text: hi, calls: [propose: {slot: title, value: x, quote: x}]}
    expect: {draft: {title: null}, model_calls: 1, gate: none}
  - tap: {option: High, of: say-5}
  - submit: {values: {title: T}}
  - forge: {option: o1}
    id: forged
  - reload: true
  - wait: 5
  - restart: true
  - id: both
    concurrent: [{say: a}, {say: b, seen: absent}]
  - tap: Create
    tools: {create_ticket: {breaks: after}}
"""


def built() -> Scenario:
    return scenario(
        "all acts",
        about="each once",
        domain="support_intake",
        tags=["a"],
        rehearse=True,
        fixtures={"greeted": [say("Hello")]},
        turns=[
            use("greeted"),
            say(
                "5",
                model={"text": "hi", "calls": [{"propose": {"slot": "title", "value": "x", "quote": "x"}}]},
                expect={"draft": {"title": None}, "model_calls": 1, "gate": "none"},
            ),
            tap("High", of="say-5"),
            submit({"title": "T"}),
            forge({"option": "o1"}, id="forged"),
            reload(),
            wait(5),
            restart(),
            concurrent(say("a"), say("b", seen="absent"), id="both"),
            tap("Create", tools={"create_ticket": {"breaks": "after"}}),
        ],
    )


def without_places(found: Scenario) -> list[object]:
    """The turns, wherever they are written."""
    return [
        replace(turn, line=0, file=None, checks=tuple(replace(check, line=0, file=None) for check in turn.checks))
        for turn in found.played
    ]


def test_a_built_scenario_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.scenario.yaml"
    path.write_text(TEXT, encoding="utf-8")
    one, other = built(), load_scenario(path)
    assert without_places(one) == without_places(other)
    assert (one.name, one.about, one.tags, one.rehearse) == (other.name, other.about, other.tags, other.rehearse)


def test_a_built_scenario_knows_where_it_was_built() -> None:
    found = built()
    assert found.path == Path(__file__)
    lines = Path(__file__).read_text(encoding="utf-8").split("\n")
    assert [lines[turn.line - 1].strip() for turn in found.turns[2:4]] == [
        'tap("High", of="say-5"),',
        'submit({"title": "T"}),',
    ]


def test_what_does_not_fit_names_the_line_of_the_call() -> None:
    with pytest.raises(LocatedError, match=r"test_build\.py:\d+: unknown key 'blok' .*did you mean 'block'"):
        scenario("x", domain="support_intake", turns=[say("hi", expect={"blok": "title"})])


def test_a_built_table_is_one_scenario_a_row() -> None:
    found = scenarios(
        "a table",
        domain="support_intake",
        rows={"one": {"reply": "yes", "calls": 1}, "two": {"reply": "no", "calls": 2}},
        turns=[say("{reply}", expect={"model_calls": "{calls}"})],
    )
    assert [one.title for one in found] == ["a table[one]", "a table[two]"]


def test_a_table_is_no_single_scenario() -> None:
    with pytest.raises(UsageError, match="has 2 rows; build it with 'scenarios'"):
        scenario("x", domain="support_intake", rows={"a": {"t": "x"}, "b": {"t": "y"}}, turns=[say("{t}")])


def test_a_file_with_rows_is_loaded_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "x.scenario.yaml"
    path.write_text("scenario: s\ndomain: support_intake\nrows: {a: {t: x}}\nturns: [{say: '{t}'}]\n", encoding="utf-8")
    assert [one.row for one in load_scenarios(path)] == ["a"]
