"""Fixtures, parameters and rows: what is put in, where it is from, and what is said of what does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_mock_model import Document, parse_document
from marg_runtime.errors import LocatedError, UsageError
from marg_scenarios import SayTurn, Scenario, TapTurn, load_scenario, load_scenarios
from marg_scenarios.expansion import expand

HEAD = "scenario: a small one\ndomain: support_intake\n"
SHARED = """fixtures:
  greeted:
    about: The user has greeted.
    turns:
      - {id: greeting, say: Hello, expect: {reading: content}}
  tapped:
    parameters: {urgency: High}
    turns:
      - use: greeted
      - {id: urgency, tap: "{urgency}"}
      - {id: again, tap: {option: High, of: greeting}, seen: greeting}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of fixtures."""
    (tmp_path / "shared.fixtures.yaml").write_text(SHARED, encoding="utf-8")
    return tmp_path


def written(folder: Path, text: str) -> Path:
    path = folder / "x.scenario.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def loaded(folder: Path, text: str) -> Scenario:
    return load_scenario(written(folder, text))


def rows(folder: Path, text: str) -> tuple[Scenario, ...]:
    return load_scenarios(written(folder, text))


def refusal(folder: Path, text: str) -> str:
    """What is said of a file, after its folder."""
    path = written(folder, text)
    with pytest.raises(LocatedError) as caught:
        load_scenarios(path)
    return str(caught.value).replace(f"{folder}/", "")


INCLUDE = "include: [shared.fixtures.yaml]\n"


def test_a_fixtures_turns_stand_where_it_is_used(folder: Path) -> None:
    turns = loaded(folder, f"{INCLUDE}turns:\n  - use: greeted\n  - say: bye\n").turns
    assert [(turn.id, turn.act) for turn in turns] == [
        ("greeting", SayTurn(text="Hello")),
        ("say-bye", SayTurn(text="bye")),
    ]


def test_a_turn_of_a_fixture_and_its_checks_know_their_own_file_and_line(folder: Path) -> None:
    first, second = loaded(folder, f"{INCLUDE}turns:\n  - use: greeted\n  - say: bye\n").turns
    shared = str(folder / "shared.fixtures.yaml")
    assert (first.file, first.line, first.checks[0].file, first.checks[0].line) == (shared, 5, shared, 5)
    assert (second.file, second.line) == (None, 6)


def test_a_fixtures_parameters_take_the_values_that_are_given(folder: Path) -> None:
    turns = loaded(folder, f"{INCLUDE}turns:\n  - use: tapped\n    with: {{urgency: Low}}\n").turns
    assert turns[1].act == TapTurn(option="Low")


def test_a_parameter_that_is_not_given_has_its_own_value(folder: Path) -> None:
    assert loaded(folder, f"{INCLUDE}turns:\n  - use: tapped\n").turns[1].act == TapTurn(option="High")


def test_a_fixture_is_used_twice_under_names_of_its_own(folder: Path) -> None:
    turns = loaded(folder, f"{INCLUDE}turns:\n  - use: tapped\n  - {{use: tapped, id: second}}\n").turns
    assert [turn.id for turn in turns[3:]] == ["second-greeting", "second-urgency", "second-again"]
    assert (turns[5].act, turns[5].seen) == (TapTurn(option="High", of="second-greeting"), "second-greeting")


def test_a_scenario_has_fixtures_of_its_own(folder: Path) -> None:
    text = "fixtures:\n  own: {turns: [{say: one}]}\nturns:\n  - use: own\n"
    assert [turn.id for turn in loaded(folder, text).turns] == ["say-one"]


def test_a_file_of_fixtures_includes_others(folder: Path) -> None:
    (folder / "more.fixtures.yaml").write_text(
        "include: [shared.fixtures.yaml]\nfixtures:\n  more: {turns: [{use: greeted}]}\n", encoding="utf-8"
    )
    turns = loaded(folder, "include: [more.fixtures.yaml]\nturns:\n  - use: more\n").turns
    assert [turn.id for turn in turns] == ["greeting"]


ROWS = "rows:\n  plain: {reply: 'yes', calls: 0}\n  other: {reply: maybe, calls: 1}\n"
ROW_TURNS = "turns:\n  - say: '{reply} now'\n    expect: {model_calls: '{calls}'}\n"


def test_a_scenario_is_one_a_row_with_its_parameters_put_in(folder: Path) -> None:
    found = rows(folder, ROWS + ROW_TURNS)
    assert [(one.row, one.title, one.turns[0].act) for one in found] == [
        ("plain", "a small one[plain]", SayTurn(text="yes now")),
        ("other", "a small one[other]", SayTurn(text="maybe now")),
    ]


def test_a_parameter_alone_is_its_value_of_any_kind(folder: Path) -> None:
    checks = [one.turns[0].checks[0] for one in rows(folder, ROWS + ROW_TURNS)]
    assert [getattr(check, "expected", None) for check in checks] == [0, 1]


def test_a_made_id_is_the_same_in_every_row(folder: Path) -> None:
    assert {one.turns[0].id for one in rows(folder, ROWS + ROW_TURNS)} == {"say-reply-now"}


def test_a_row_may_leave_out_what_the_parameters_give(folder: Path) -> None:
    text = "parameters: {reply: hi, calls: 1}\nrows:\n  one: {}\n  two: {reply: ho}\n" + ROW_TURNS
    assert [one.turns[0].act for one in rows(folder, text)] == [SayTurn(text="hi now"), SayTurn(text="ho now")]


@pytest.mark.parametrize("said", ["{reply} {", "{reply} or so", "{3}", '{"a": 1}', "{}", "{{reply}}", "{a b}"])
def test_braces_are_text_where_there_are_no_parameters(folder: Path, said: str) -> None:
    assert loaded(folder, f"turns:\n  - say: '{said}'\n").turns[0].act == SayTurn(text=said)


def test_a_brace_is_written_twice_where_there_are_parameters(folder: Path) -> None:
    text = "parameters: {reply: hi}\nturns:\n  - say: '{{{reply}}}'\n"
    assert loaded(folder, text).turns[0].act == SayTurn(text="{hi}")


def test_one_row_is_loaded_by_its_id(folder: Path) -> None:
    assert load_scenario(written(folder, ROWS + ROW_TURNS), row="other").row == "other"


def test_a_row_that_is_not_there_is_refused_with_the_nearest(folder: Path) -> None:
    with pytest.raises(UsageError, match="the row 'othr' is not there; did you mean 'other'"):
        load_scenario(written(folder, ROWS + ROW_TURNS), row="othr")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "include: [gone/nope.fixtures.yaml]\nturns: [{say: hi}]\n",
            "x.scenario.yaml:3: 'include' names 'gone/nope.fixtures.yaml', which is no file *.fixtures.yaml; check the",
        ),
        ("include: [shard.fixtures.yaml]\nturns: [{say: hi}]\n", "x.scenario.yaml:3: 'include' names 'shard.fixtures"),
        (
            f"{INCLUDE}turns:\n  - use: greetd\n",
            "x.scenario.yaml:5: 'use' names 'greetd', which is no fixture; did you",
        ),
        ("turns:\n  - use: greeted\n", "x.scenario.yaml:4: 'use' names 'greeted', which is no fixture; there are none"),
        (f"{INCLUDE}turns:\n  - {{use: tapped, with: {{urgncy: Low}}}}\n", "has no parameter 'urgncy'; did you mean"),
        (f"{INCLUDE}turns:\n  - {{use: greeted, gvien: 1}}\n", "x.scenario.yaml:5: unknown key 'gvien'"),
        (f"{INCLUDE}turns: [{{use: greeted}}, {{use: greeted}}]\n", "'id' is 'greeting', which two turns have"),
        (f"{INCLUDE}fixtures:\n  greeted: {{turns: [{{say: hi}}]}}\nturns: [{{say: hi}}]\n", "is there already, at "),
        ("fixtures:\n  a: {turns: [{use: b}]}\n  b: {turns: [{use: a}]}\nturns: [{use: a}]\n", "uses itself; break"),
        ("fixtures:\n  own: {turns: [{sya: hi}]}\nturns: [{say: hi}]\n", "unknown key 'sya' with the value 'hi'"),
        (
            "turns:\n  - say: hi\n  - {id: two, say: '{reply}'}\n",
            "x.scenario.yaml:5: 'say' is '{reply}', and nothing here has parameters; add 'parameters: {reply: ...}'",
        ),
        (
            "turns:\n  - say: hi\n    expect:\n      model_calls: '{calls}'\n",
            "x.scenario.yaml:6: 'model_calls' is '{calls}', and nothing here has parameters",
        ),
        (
            "fixtures:\n  a:\n    turns:\n      - say: '{who}'\nturns: [{use: a}]\n",
            "x.scenario.yaml:6: 'say' is '{who}', and nothing here has parameters",
        ),
        ("parameters: {reply: hi}\nturns:\n  - say: '{rply}'\n", "x.scenario.yaml:5: {rply} is no parameter; did you"),
        (
            "parameters: {reply: hi}\nturns:\n  - say: hi\n",
            "x.scenario.yaml:3: no turn names {reply}; use it or remove",
        ),
        ("parameters: {reply: hi}\nturns:\n  - say: '{reply} {'\n", "has the brace '{' alone; write '{{' for a brace"),
        ("parameters: {calls: 1}\nturns:\n  - say: hi\n    expect: {model_calls: {calls}}\n", "quote the parameter"),
        (ROWS.replace("other: {reply", "other: {rply") + ROW_TURNS, "'rply' in the row 'other' is no parameter of the"),
        (
            ROWS.replace(", calls: 1", "") + ROW_TURNS,
            "x.scenario.yaml:5: the row 'other' does not give 'calls'; add it",
        ),
        ("rows: {One: {reply: hi}}\n" + ROW_TURNS, "x.scenario.yaml:3: "),
    ],
)
def test_what_does_not_fit_is_refused_with_file_and_line(folder: Path, text: str, message: str) -> None:
    assert message in refusal(folder, text)


def test_files_that_include_one_another_are_refused(folder: Path) -> None:
    (folder / "shared.fixtures.yaml").write_text(f"include: [more.fixtures.yaml]\n{SHARED}", encoding="utf-8")
    (folder / "more.fixtures.yaml").write_text(
        "include: [shared.fixtures.yaml]\nfixtures:\n  more: {turns: [{say: hi}]}\n", encoding="utf-8"
    )
    said = refusal(folder, f"{INCLUDE}turns: [{{say: hi}}]\n")
    assert "more.fixtures.yaml:1: 'include' names 'shared.fixtures.yaml', which includes this file" in said


def test_an_error_in_a_fixtures_turn_names_the_fixtures_file(folder: Path) -> None:
    shared = folder / "shared.fixtures.yaml"
    shared.write_text(SHARED.replace("reading: content", "reading: contnet"), encoding="utf-8")
    assert refusal(folder, f"{INCLUDE}turns: [{{use: greeted}}]\n").startswith("shared.fixtures.yaml:5: 'reading' is")


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        ("{wait: 5, expect: {line: none}}", "'expect' stands beside 'wait'; put it on the turn that follows."),
        ("{restart: true, seen: absent}", "'seen' stands beside 'restart'; put it on the turn that follows."),
        ("{wait: 5, model: {text: hi}}", "'model' stands beside 'wait'; put it on the turn that follows."),
        ("{concurrent: [{say: a}, {say: b}], expect: {line: none}}", "put it on each act."),
        ("{concurrent: [{say: a}, {say: b, tap: c}]}", "this one has say and tap."),
        ("{say: hi, model: {text: hi, to: nowher}}", "'to' is 'nowher', which is no state of the machine;"),
        (
            "{say: hi, model: {calls: [creat_ticket: {}]}}",
            "'calls' names 'creat_ticket'; did you mean 'create_ticket'?",
        ),
        ("{say: hi, tools: {serch_tickets: {gone: true}}}", "'tools' names 'serch_tickets'; did you mean"),
        ("{say: hi, tools: {create_ticket: {breaks: after}}}", "add 'rehearse: true'."),
        ("{say: hi, tools: {search_tickets: {gone: true, breaks: after}}}", "exactly one of "),
        ("{say: hi, expect: {tools_called: [serch_tickets]}}", "'tools_called' names 'serch_tickets'; did you mean"),
        ("{say: hi, expect: {tools_only: [{tool: serch_tickets}]}}", "'tools_only' names 'serch_tickets'; did you"),
        ("{say: hi, expect: {overridden: [priorty]}}", "'overridden' names 'priorty'; did you mean 'priority'?"),
        (
            "{say: hi, expect: {write: {attempted: 1, arguments: {titel: x}}}}",
            "'arguments' names 'titel'; did you mean 'title'?",
        ),
        ("{say: hi, expect: {received: {tools: {has: [creat_ticket]}}}}", "'has' names 'creat_ticket'; did you mean"),
        ("{say: hi, expect: {question: titel}}", "'question' names 'titel', which is no step; did you mean 'title'?"),
        ("{say: hi, expect: {custom: {summary_show: []}}}", "which is no check of the kit's; did you mean"),
        ("{say: hi, expect: {line: none, canonical: {lines: [case]}}}", "'canonical' names 'lines', which is no check"),
        ("{say: hi, expect: {gate: [{guard: refused}, {gaurd: refused}]}}", "did you mean 'guard'?"),
        ("{say: hi, expect: {tools_called: [{x: {a: {matches: '('}}}]}}", "which is not a regular expression"),
    ],
)
def test_a_turn_that_does_not_hold_together_is_refused(folder: Path, turn: str, message: str) -> None:
    assert message in refusal(folder, f"turns:\n  - {turn}\n")


def test_a_rows_document_does_not_grow_with_the_other_rows() -> None:
    def document(rows: int) -> Document:
        given = "".join(f"  r{number}: {{t: hi {number}}}\n" for number in range(rows))
        text = f"scenario: x\ndomain: support_intake\nrows:\n{given}turns:\n  - say: '{{t}}'\n"
        (first, *_) = expand(parse_document(text, path="x.scenario.yaml"))
        return first.document

    assert len(document(50).lines) == len(document(1).lines)
