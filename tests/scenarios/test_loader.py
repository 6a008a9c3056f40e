"""Loading a scenario: what it becomes, and what is said of a file that cannot be one."""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_runtime.errors import LocatedError, UsageError
from marg_scenarios import ReloadTurn, SayTurn, Scenario, SubmitTurn, TapTurn, find_kit, find_scenarios, load_scenario
from marg_scenarios.forms.turn_form import ACTS

HEAD = "scenario: a small one\ndomain: support_intake\nturns:\n"
MACHINE = "machine: m\nstart: a\nstates:\n  a:\n    transitions:\n      - {when: {}, reply: hi, to: a}\n"


def written(folder: Path, text: str, *, name: str = "x.scenario.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def loaded(folder: Path, turns: str) -> Scenario:
    return load_scenario(written(folder, HEAD + turns))


def refusal(folder: Path, text: str) -> str:
    """What is said of a file, after its path."""
    path = written(folder, text)
    with pytest.raises(LocatedError) as caught:
        load_scenario(path)
    return str(caught.value).removeprefix(f"{path}:")


def test_a_scenario_knows_its_name_domain_machine_and_place(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, f"# a comment\n{HEAD}  - say: hi\n"))
    kit = find_kit("support_intake")
    assert (scenario.name, scenario.line, scenario.path) == ("a small one", 2, tmp_path / "x.scenario.yaml")
    assert (scenario.kit, scenario.machine.path) == (kit, str(kit.machine))


def test_a_machine_is_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    written(tmp_path, MACHINE, name="own.machine.yaml")
    text = HEAD.replace("turns:", "machine: own.machine.yaml\nturns:") + "  - say: hi\n"
    assert load_scenario(written(tmp_path, text)).machine.name == "m"


@pytest.mark.parametrize(
    ("turn", "act"),
    [
        ("say: hi", SayTurn(text="hi")),
        ("tap: High", TapTurn(option="High", of=None)),
        ("tap: {option: High, of: first}", TapTurn(option="High", of="first")),
        ("submit: {values: {title: T}}", SubmitTurn(values={"title": "T"}, of=None)),
        ("submit: {values: {title: T}, of: first}", SubmitTurn(values={"title": "T"}, of="first")),
        ("reload: true", ReloadTurn()),
    ],
)
def test_every_act_is_read(tmp_path: Path, turn: str, act: object) -> None:
    assert loaded(tmp_path, f"  - {{id: first, say: hi}}\n  - {turn}\n").turns[1].act == act


def test_a_turn_and_its_checks_know_their_lines(tmp_path: Path) -> None:
    turn = loaded(tmp_path, "  - say: hi\n    expect:\n      reading: content\n      model_calls: 1\n").turns[0]
    assert (turn.line, [(check.id, check.line) for check in turn.checks]) == (4, [("reading", 6), ("model_calls", 7)])


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "true", "null", "5", "~", "2026-11-30"])
def test_an_unquoted_word_that_is_said_or_tapped_stays_text(tmp_path: Path, word: str) -> None:
    turns = loaded(tmp_path, f"  - say: {word}\n  - tap: {word}\n  - id: again\n    tap: {{option: {word}}}\n").turns
    assert [turn.act for turn in turns] == [SayTurn(text=word), TapTurn(option=word), TapTurn(option=word)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD.replace("domain", "domian"), "2: unknown key 'domian' with the value 'support_intake'; did you mean"),
        (f"{HEAD}  - sya: hi\n", "4: unknown key 'sya' with the value 'hi'; did you mean 'say'?"),
        (f"{HEAD}  - tap: {{opton: High}}\n", "4: unknown key 'opton' with the value 'High'; did you mean 'option'?"),
        (
            f"{HEAD}  - say: hi\n    expect:\n      readin: content\n",
            "6: unknown key 'readin' with the value 'content'",
        ),
        (f"{HEAD}  - say: hi\n    expect:\n      block: {{step: title, optoins: []}}\n", "6: unknown key 'optoins'"),
        (f"{HEAD}  - say: hi\n    expect: {{write: {{attemted: 1}}}}\n", "5: unknown key 'attemted'"),
        (f"{HEAD}  - say: hi\n    expect: {{reading: plain_yess}}\n", "5: 'reading' is 'plain_yess'; did you mean"),
        (f"{HEAD}  - say: hi\n    expect: {{gate: nonee}}\n", "5: 'gate' is 'nonee'; did you mean 'none'?"),
        (f"{HEAD}  - say: hi\n    expect: {{model_calls: many}}\n", "5: 'model_calls' is 'many': expected a whole"),
        (
            f"{HEAD}  - say: hi\n    expect: {{redraws: yes}}\n",
            "5: 'redraws' is 'yes': expected true or false, without",
        ),
        (f"{HEAD}  - say: hi\n    expect: {{model_calls: '1'}}\n", "5: 'model_calls' is '1': expected a whole number,"),
        (
            f"{HEAD}  - say: hi\n    expect: {{gate: {{gaurd: allowed}}}}\n",
            "5: unknown key 'gaurd' with the value 'allo",
        ),
        (
            f"{HEAD}  - say: hi\n    expect: {{gate: [{{gaurd: allowed}}]}}\n",
            "5: unknown key 'gaurd' with the value 'al",
        ),
        (
            f"{HEAD}  - say: hi\n    expect: {{text: {{matches: '('}}}}\n",
            "5: 'matches' is '(': not a regular expression",
        ),
        (f"{HEAD}  - reload: false\n", "4: 'reload' is 'false': expected true; leave the key out"),
        (f"{HEAD}  - say:\n", "4: 'say' is ''"),
        (f"{HEAD}  - {{id: latest, say: hi}}\n", "4: 'id' is 'latest', a word of 'seen'; choose another."),
        (f"{HEAD}  - say: [hi]\n", "4: 'say' is ['hi']; expected text."),
        (f"{HEAD}  - {{id: One Two, say: hi}}\n", "4: 'id' is 'One Two'"),
        (f"{HEAD}  - submit: {{values: {{}}}}\n", "4: 'values' is {}; expected 1 or more."),
        ("scenario: s\ndomain: support_intake\nturns: []\n", "3: 'turns' is []; expected 1 or more."),
        ("scenario: s\ndomain: support_intake\n", "1: the key 'turns' is missing; add it."),
        ("", "1: the file is empty"),
        (f"{HEAD}  - say: [hi\n", "5: not YAML"),
        (f"{HEAD}  - say: hi\n    say: ho\n", "5: the key 'say' stands twice (first at line 4); keep one."),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_line_and_the_nearest_word(
    tmp_path: Path, text: str, message: str
) -> None:
    assert refusal(tmp_path, text).startswith(message)


@pytest.mark.parametrize(
    ("turn", "found"),
    [("say: hi\n    tap: High", "say and tap"), ("id: one", "none")],
)
def test_a_turn_with_another_number_of_acts_than_one_is_refused(tmp_path: Path, turn: str, found: str) -> None:
    expected = f"4: a turn has exactly one of {', '.join(ACTS)}; this one has {found}."
    assert refusal(tmp_path, f"{HEAD}  - {turn}\n") == expected


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("block: pririty", "'block' names 'pririty', which is no step; did you mean 'priority'?"),
        ("block: {step: recept}", "'block' names 'recept', which is no step; did you mean 'receipt'?"),
        ("block: {step: confirm, rows: {titel: x}}", "'rows' names 'titel', which is no slot; did you mean 'title'?"),
        ("cut: [prioriti]", "'cut' names 'prioriti', which is no step; did you mean 'priority'?"),
        ("draft: {detials: x}", "'draft' names 'detials', which is no slot; did you mean 'details'?"),
        ("provenance: {detials: tap}", "'provenance' names 'detials', which is no slot; did you mean 'details'?"),
        ("events: {has: [GateDecidd]}", "'events' names 'GateDecidd', which is no event; did you mean 'GateDecided'?"),
        ("events: {lacks: [WriteDon]}", "'events' names 'WriteDon', which is no event; did you mean 'WriteDone'?"),
    ],
)
def test_a_name_that_the_domain_does_not_have_is_refused_with_the_nearest(
    tmp_path: Path, expect: str, message: str
) -> None:
    assert refusal(tmp_path, f"{HEAD}  - say: hi\n    expect:\n      {expect}\n") == f"6: {message}"


@pytest.mark.parametrize(
    "expect",
    [
        "received: {}",
        "text: {}",
        "line: {}",
        "events: {}",
        "gate: {}",
        "draft: {}",
        "provenance: {}",
        "tools_called: []",
        "tools_not_called: []",
    ],
)
def test_a_check_that_looks_at_nothing_is_refused(tmp_path: Path, expect: str) -> None:
    assert refusal(tmp_path, f"{HEAD}  - say: hi\n    expect: {{{expect}}}\n").startswith("5: ")


@pytest.mark.parametrize("name", ["create_tickt", "desk/create_tickets", "serch_tickets", "propos"])
def test_a_misspelt_tool_that_must_not_be_called_is_refused_since_nobody_could_call_it(
    tmp_path: Path, name: str
) -> None:
    said = refusal(tmp_path, f"{HEAD}  - say: hi\n    expect: {{tools_not_called: [{name}]}}\n")
    assert said.startswith(f"5: 'tools_not_called' names {name!r}; did you mean '")


def test_a_tool_that_nobody_has_may_be_one_that_must_not_be_called(tmp_path: Path) -> None:
    turn = loaded(tmp_path, "  - say: hi\n    expect: {tools_not_called: [update_ticket, desk/create_ticket]}\n").turns[
        0
    ]
    assert [check.kind for check in turn.checks] == ["tools_not_called"]


def test_a_submitted_slot_that_the_domain_does_not_have_is_refused_with_the_nearest(tmp_path: Path) -> None:
    text = f"{HEAD}  - submit:\n      values:\n        titel: x\n"
    assert refusal(tmp_path, text) == "5: 'values' names 'titel', which is no slot; did you mean 'title'?"


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        ("{say: ho, seen: fist}", "5: 'seen' is 'fist', which is no earlier turn; did you mean 'first'?"),
        ("{say: ho, seen: lates}", "5: 'seen' is 'lates', which is no earlier turn; did you mean 'latest'?"),
        ("{id: me, say: ho, seen: me}", "5: 'seen' is 'me', which is no earlier turn; known here: "),
        ("{tap: {option: High, of: fist}}", "5: 'of' is 'fist', which is no earlier turn; did you mean 'first'?"),
        ("{submit: {values: {title: x}, of: fist}}", "5: 'of' is 'fist', which is no earlier turn; did you mean 'f"),
    ],
)
def test_a_turn_that_is_not_an_earlier_one_is_refused_with_the_nearest(tmp_path: Path, turn: str, message: str) -> None:
    assert refusal(tmp_path, f"{HEAD}  - {{id: first, say: hi}}\n  - {turn}\n").startswith(message)


def test_a_tap_on_an_earlier_turn_is_refused_where_there_is_none(tmp_path: Path) -> None:
    text = f"{HEAD}  - tap: {{option: High, of: first}}\n"
    assert refusal(tmp_path, text) == "4: 'of' is 'first', which is no earlier turn; there is none."


def test_a_domain_that_does_not_exist_is_refused_with_the_nearest(tmp_path: Path) -> None:
    text = "scenario: s\ndomain: support_intak\nturns:\n  - say: hi\n"
    assert refusal(tmp_path, text).startswith("2: no domain 'support_intak'; did you mean 'support_intake'?")


def test_a_machine_file_that_is_not_there_is_refused_with_its_path(tmp_path: Path) -> None:
    text = HEAD.replace("turns:", "machine: gone.machine.yaml\nturns:") + "  - say: hi\n"
    path = tmp_path / "gone.machine.yaml"
    assert refusal(tmp_path, text) == f"3: 'machine' is {str(path)!r}, which is no file; correct the path."


def test_a_machine_with_a_missing_state_is_refused_at_the_machines_own_line(tmp_path: Path) -> None:
    machine = written(tmp_path, MACHINE.replace("to: a", "to: b"), name="own.machine.yaml")
    text = HEAD.replace("turns:", "machine: own.machine.yaml\nturns:") + "  - say: hi\n"
    with pytest.raises(LocatedError) as caught:
        load_scenario(written(tmp_path, text))
    assert str(caught.value) == f"{machine}:6: 'to' is 'b', which is not a declared state; known here: 'a'."


def test_the_scenarios_of_a_folder_are_found_below_it_in_order_without_hidden_folders(tmp_path: Path) -> None:
    for name in ("b.scenario.yaml", "a/z.scenario.yaml", ".hidden/x.scenario.yaml", "other.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path, HEAD, name=name)
    found = [path.relative_to(tmp_path).as_posix() for path in find_scenarios(tmp_path)]
    assert found == ["a/z.scenario.yaml", "b.scenario.yaml"]


def test_a_hidden_folder_above_the_given_one_hides_nothing(tmp_path: Path) -> None:
    folder = tmp_path / ".hidden"
    folder.mkdir()
    path = written(folder, HEAD)
    assert find_scenarios(folder) == (path,)


def test_a_folder_with_no_scenario_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no '\*\.scenario\.yaml' file; name a folder that does\."):
        find_scenarios(tmp_path)


def test_a_path_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone' is neither a file nor a folder; check the path\."):
        find_scenarios(tmp_path / "gone")


def machine_refusal(folder: Path, transition: str) -> str:
    """What is said of a machine of one transition, which stands on line 6."""
    machine = written(folder, MACHINE.replace("- {when: {}, reply: hi, to: a}", transition), name="own.machine.yaml")
    text = HEAD.replace("turns:", "machine: own.machine.yaml\nturns:") + "  - say: hi\n"
    with pytest.raises(LocatedError) as caught:
        load_scenario(written(folder, text))
    return str(caught.value).removeprefix(f"{machine}:")


@pytest.mark.parametrize(
    ("transition", "name", "near"),
    [
        ("- {when: {}, calls: [propos: {slot: title, value: x, quote: x}], to: a}", "propos", "propose"),
        ("- {when: {}, calls: [propose: {slot: titel, value: x, quote: x}], to: a}", "titel", "title"),
        ("- {when: {}, calls: [reopen: {step: priorty}], to: a}", "priorty", "priority"),
        ("- {when: {result_of: serch_tickets}, reply: x, to: a}", "serch_tickets", "search_tickets"),
    ],
)
def test_a_misspelt_name_in_a_machine_is_refused_with_the_nearest(
    tmp_path: Path, transition: str, name: str, near: str
) -> None:
    told = machine_refusal(tmp_path, transition)
    assert told == f"6: {name!r} is not known to the domain; did you mean {near!r}?"


def test_a_machine_may_call_a_tool_that_nobody_has(tmp_path: Path) -> None:
    transition = "- {when: {}, calls: [delete_everything: {}], to: a}"
    written(tmp_path, MACHINE.replace("- {when: {}, reply: hi, to: a}", transition), name="own.machine.yaml")
    text = HEAD.replace("turns:", "machine: own.machine.yaml\nturns:") + "  - say: hi\n"
    assert load_scenario(written(tmp_path, text)).machine.name == "m"
