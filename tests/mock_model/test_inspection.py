"""What is said of a machine without playing it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from marg_mock_model import parse_machine
from marg_mock_model.inspection import inspect_machine

ANY = {"when": {}, "silent": True, "to": "a"}


def remarks(states: dict[str, list[dict[str, Any]]], *slips: dict[str, Any]) -> list[str]:
    document = {name: {"transitions": transitions} for name, transitions in states.items()}
    text = json.dumps({"machine": "m", "start": "a", "states": document, "slips": slips})
    return [f"{one.severity}: {one.message}" for one in inspect_machine(parse_machine(text, path="m.yaml"))]


def test_a_sound_machine_gets_no_remark() -> None:
    assert remarks({"a": [{**ANY, "to": "b"}], "b": [ANY]}) == []


def test_a_state_that_nothing_leads_to_is_a_warning() -> None:
    found = remarks({"a": [ANY], "b": [ANY]})
    assert "warning: no chain of transitions leads from 'a' to the state 'b'; remove it" in found


def test_a_state_that_nothing_leads_out_of_is_a_note() -> None:
    found = remarks({"a": [{**ANY, "to": "b"}], "b": [{**ANY, "to": "b"}]})
    assert found == ["note: nothing leads out of the state 'b'"]


@pytest.mark.parametrize(
    ("first", "second"),
    [({}, {"user": "x"}), ({"user": "x"}, {"user": "x", "call": 1}), ({"turn": 1}, {"turn": 1})],
)
def test_a_transition_behind_a_wider_one_is_never_taken(first: dict[str, Any], second: dict[str, Any]) -> None:
    (remark,) = remarks({"a": [{**ANY, "when": first}, {**ANY, "when": second}]})
    assert remark.startswith("warning: never taken: the transition at line 1 holds wherever this one does")


def test_a_transition_behind_another_guard_is_taken() -> None:
    assert remarks({"a": [{**ANY, "when": {"user": "x"}}, {**ANY, "when": {"user": "y"}}]}) == []


@pytest.mark.parametrize("when", [{"user_matches": "x"}, {"last": "user"}, {"facts": ["x"]}])
def test_calls_into_a_state_that_takes_no_result_are_a_warning(when: dict[str, Any]) -> None:
    call = {"when": {"user": "go"}, "calls": [{"search": {}}], "to": "b"}
    found = remarks({"a": [call], "b": [{**ANY, "when": when}]})
    assert found == ["warning: it calls 'search', and no transition of 'b' takes a result"]


@pytest.mark.parametrize("when", [{}, {"result_of": "search"}, {"last": "results"}, {"call": 2}])
def test_calls_into_a_state_that_takes_results_are_fine(when: dict[str, Any]) -> None:
    call = {"when": {"user": "go"}, "calls": [{"search": {}}], "to": "b"}
    assert remarks({"a": [call], "b": [{**ANY, "when": when}]}) == []


def test_a_slip_that_finds_no_call_is_a_warning() -> None:
    slip = {"slip": "bad_arguments", "tool": "search"}
    assert remarks({"a": [ANY]}, slip) == ["warning: the slip 'bad_arguments' finds no call to change in its states"]


def test_a_slip_that_never_happens_is_a_note() -> None:
    assert remarks({"a": [ANY]}, {"slip": "empty", "rate": 0}) == ["note: the slip 'empty' has the rate 0"]
