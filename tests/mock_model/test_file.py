"""A machine's file: what it means, and how a file that does not hold together is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from marg_mock_model import Machine, load_machine, parse_machine, unreachable
from marg_mock_model.guard import Guard
from marg_mock_model.script import Call
from marg_runtime.canonical import Json
from marg_runtime.errors import LocatedError, UsageError

MACHINE = """\
machine: desk
start: listening
states:
  listening:
    says: the user tells what is wrong
    transitions:
      - when: {user_matches: "(?i)my (?P<thing>login) (\\\\w+)"}
        reply: "Noted: {thing}."
        calls:
          - propose: {slot: title, value: "{0}", quote: "{0}"}
          - search_tickets: {query: "{2}", limit: 5, open: true, states: ["{thing}", yes]}
        to: noted
  noted:
    transitions:
      - when:
          result_of: propose
          result_is_error: false
        reply: Done.
        to: listening
      - when: {}
        silent: true
        to: noted
"""


def machine(text: str = MACHINE) -> Machine:
    return parse_machine(text, path="m.yaml")


def refusal(old: str, new: str) -> str:
    """What the machine is told with one text in it swapped."""
    assert old in MACHINE
    with pytest.raises(LocatedError) as caught:
        machine(MACHINE.replace(old, new))
    return str(caught.value)


def test_every_record_has_the_line_that_it_stands_on() -> None:
    noted = machine().states["noted"]
    first = noted.transitions[0]
    assert (noted.line, first.line, first.when.line, [g.line for g in first.when.guards]) == (13, 15, 15, [16, 17])


def test_a_call_keeps_its_free_values_and_its_line() -> None:
    call = machine().states["listening"].transitions[0].calls[1]
    arguments: dict[str, Json] = {"query": "{2}", "limit": 5, "open": True, "states": ["{thing}", "yes"]}
    assert call == Call(tool="search_tickets", arguments=arguments, path="m.yaml", line=11)


def test_guards_are_typed_by_their_form() -> None:
    assert machine().states["noted"].transitions[0].when.guards == (
        Guard(name="result_of", value="propose", path="m.yaml", line=16),
        Guard(name="result_is_error", value=False, path="m.yaml", line=17),
    )


def test_the_finish_is_tool_calls_where_there_are_calls_and_stop_elsewhere() -> None:
    assert [t.finish for t in machine().transitions()] == ["tool_calls", "stop", "stop"]


def test_a_finish_that_is_written_stands() -> None:
    text = MACHINE.replace("reply: Done.", "reply: Done.\n        finish: length")
    assert machine(text).states["noted"].transitions[0].finish == "length"


@pytest.mark.wheel
def test_a_machine_is_loaded_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "desk.machine.yaml"
    file.write_text(MACHINE, encoding="utf-8")
    assert load_machine(file) == parse_machine(MACHINE, path=str(file))


def test_a_machine_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read: No such file"):
        load_machine(tmp_path / "desk.machine.yaml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("start: listening", "start: Listening",
         "m.yaml:2: 'start' is 'Listening', which is not a declared state; did you mean 'listening'?"),
        ("to: noted\n  noted", "to: notde\n  noted",
         "m.yaml:12: 'to' is 'notde', which is not a declared state; did you mean 'noted'?"),
        ("to: listening", "to: 7",
         "m.yaml:19: 'to' is '7', which is not a declared state; known here: 'listening', 'noted'."),
        ("(?i)my", "(my",
         "m.yaml:7: 'user_matches' is '(my (?P<thing>login) (\\\\w+)', which is not a regular expression: missing ), "
         "unterminated subpattern at position 0; correct it."),
        ("Noted: {thing}", "Noted: {thin}",
         "m.yaml:8: the group '{thin}' is not captured by the guards; known here: {0}, {1}, {2}, {thing}."),
        ("Noted: {thing}", "Noted: {thing }",
         "m.yaml:8: the brace at '{thing }.' names no group; write '{{' for a brace."),
        ('["{thing}", yes]', '["{thing}", "{3}"]',
         "m.yaml:11: the group '{3}' is not captured by the guards; known here: {0}, {1}, {2}, {thing}."),
        ("Done.", "Done {0}.",
         "m.yaml:18: the group '{0}' is not captured by the guards; known here: none, "
         "because no guard here is a pattern."),
        ('value: "{0}"', "value: {0}", "m.yaml:10: 'value' is a mapping; quote the template: '{0}'."),
        ("reply: Done.", "silent: false",
         "m.yaml:15: the transition answers nothing; add a reply, calls, or 'silent: true'."),
        ("silent: true", "silent: true\n        reply: x",
         "m.yaml:21: 'silent' is true beside a reply or calls; keep one of them."),
        ("- search_tickets: {", "- other: {}\n            search_tickets: {",
         "m.yaml:11: this entry is {'other': {}, 'search_tickets': {'limit': '5', 'open': 'true', 'query': '{2}', "
         "'states': ['{thing}', 'yes']}}; expected 1 at most."),
        ("reply: Done.", "replay: Done.",
         "m.yaml:18: unknown key 'replay' with the value 'Done.'; did you mean 'reply'?"),
        ("result_of: propose", "result_off: propose",
         "m.yaml:16: unknown key 'result_off' with the value 'propose'; did you mean 'result_of'?"),
        ("result_of: propose", "last: users", "m.yaml:16: 'last' is 'users'; did you mean 'user'?"),
        ("result_of: propose", "call: first", "m.yaml:16: 'call' is 'first'; expected a whole number."),
        ("result_of: propose", "facts: Title set.", "m.yaml:16: 'facts' is 'Title set.'; expected a list."),
        ("- when: {}\n        silent", "- silent", "m.yaml:20: the key 'when' is missing in this entry; add it."),
    ],
)  # fmt: skip
def test_a_machine_that_does_not_hold_together_is_refused(old: str, new: str, message: str) -> None:
    assert refusal(old, new) == message


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_pattern_that_python_will_read_otherwise_later_is_refused() -> None:
    assert refusal("(?i)my", "[[a]my").endswith("Possible nested set at position 1; correct it.")


def test_a_state_without_transitions_is_refused() -> None:
    with pytest.raises(LocatedError, match=r"m.yaml:5: 'transitions' is \[\]; expected 1 or more\."):
        machine("machine: m\nstart: a\nstates:\n  a:\n    transitions: []\n")


def test_numbered_groups_are_refused_where_two_patterns_could_give_them() -> None:
    message = refusal('"(?i)my (?P<thing>login) (\\\\w+)"', 'x, fact_matches: "(?P<thing>y)"').partition(": ")[2]
    assert message == "the group '{0}' is not captured by the guards; known here: {thing}."


def test_one_name_in_two_patterns_is_refused() -> None:
    assert refusal("{user_matches:", '{fact_matches: "(?P<thing>y)", user_matches:') == (
        "m.yaml:7: the group 'thing' stands in two patterns; give each its own name."
    )


def test_a_state_that_nothing_leads_to_is_unreachable() -> None:
    text = MACHINE + "  lost:\n    transitions:\n      - {when: {}, silent: true, to: lost}\n"
    assert [(state.name, state.line) for state in unreachable(machine(text))] == [("lost", 23)]


def test_no_state_of_a_connected_machine_is_unreachable() -> None:
    assert unreachable(machine()) == ()


Keys = st.sampled_from(
    [
        "machine",
        "start",
        "states",
        "a",
        "b",
        "transitions",
        "when",
        "reply",
        "calls",
        "propose",
        "to",
        "user_matches",
        "call",
    ]
)
Trees = st.recursive(
    st.sampled_from(["a", "1", "{0}", "(", "(?P<a>x)", "true", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(Keys, inner, max_size=4),
)
Whens = st.fixed_dictionaries({}, optional={"user_matches": st.sampled_from(["(a)", "(", "b"]), "call": Trees})
Transitions = st.fixed_dictionaries(
    {"when": Whens, "to": st.sampled_from("ab")},
    optional={"reply": st.sampled_from(["x", "{1}", "{"]), "calls": st.lists(st.dictionaries(Keys, Trees, max_size=2))},
)
States = st.dictionaries(st.sampled_from("ab"), st.fixed_dictionaries({"transitions": st.lists(Transitions | Trees)}))
Machines = st.fixed_dictionaries({"machine": Trees, "start": st.sampled_from("ab"), "states": States | Trees})


@given(Machines)
def test_any_tree_is_a_machine_or_a_located_error(tree: dict[str, object]) -> None:
    try:
        lines = [transition.line for transition in machine(yaml.dump(tree, default_style="'")).transitions()]
    except LocatedError as error:
        lines = [error.line]
    assert min(lines) >= 1


def test_a_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "m.machine.yaml"
    path.write_text(MACHINE, encoding="utf-8")
    first = load_machine(path)
    path.write_text(MACHINE.replace("machine: desk", "machine: other"), encoding="utf-8")
    second = load_machine(path)
    path.write_text(MACHINE, encoding="utf-8")
    assert (first.name, second.name) == ("desk", "other")
    assert load_machine(path) is first
