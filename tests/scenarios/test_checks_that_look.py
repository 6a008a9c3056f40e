"""A check that looks at nothing could not fail: it is refused, or red."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError
from tests.scenarios.seen_turns import called, gate, received, request, seen, settled, value

from marg_runtime.events import Event
from marg_runtime.events.step import FormSettled, StepReopened
from marg_scenarios import Observation
from marg_scenarios.checks import checks_of
from marg_scenarios.forms import ExpectForm

# `nothing_else` beside checks that look at a part


def nothing_else(expect: Mapping[str, Any], *events: Event) -> bool:
    checks = checks_of(ExpectForm.model_validate({**expect, "nothing_else": True}), line=lambda key: 1)
    return checks[-1].evaluate(seen(*events)).passed


def form_settled(*slots: str) -> FormSettled:
    return FormSettled(step="stay", values={slot: value("x") for slot in slots}, fact="Noted.")


def reopened(*slots: str) -> StepReopened:
    return StepReopened(step="stay", slots=slots, because="model", next=False)


@pytest.mark.parametrize("event", [settled("x"), form_settled("title"), reopened("title")])
def test_nothing_else_leaves_out_the_slots_that_a_draft_names(event: Event) -> None:
    assert nothing_else({"draft": {"title": "x"}}, event)


@pytest.mark.parametrize("event", [settled("x"), form_settled("title", "other"), reopened("title", "other")])
def test_nothing_else_sees_a_slot_that_the_draft_does_not_name(event: Event) -> None:
    assert not nothing_else({"draft": {"other": "x"}}, event)


@pytest.mark.parametrize("beside", [{"draft_is": {"title": "x"}}, {"facts": ["x"]}])
def test_a_check_that_looks_at_all_slots_leaves_none_over(beside: dict[str, Any]) -> None:
    assert nothing_else({"draft": {"other": "x"}, **beside}, settled("x"))


@pytest.mark.parametrize("kind", ["tools_called", "tools_in_order"])
def test_nothing_else_leaves_out_one_call_for_each_that_is_named(kind: str) -> None:
    assert nothing_else({kind: ["find", "list"]}, called("find"), called("list"))


@pytest.mark.parametrize("more", ["drop", "find"])
@pytest.mark.parametrize("kind", ["tools_called", "tools_in_order"])
def test_nothing_else_sees_a_call_that_is_not_named_or_once_too_often(kind: str, more: str) -> None:
    assert not nothing_else({kind: ["find"]}, called("find"), called(more))


def test_nothing_else_leaves_out_what_either_check_of_calls_names() -> None:
    both = {"tools_called": ["find"], "tools_in_order": ["list", "more"]}
    assert nothing_else(both, called("find"), called("list"), called("more"))


# What is not there


def passed(expect: Mapping[str, Any], observation: Observation) -> bool:
    (check,) = checks_of(ExpectForm.model_validate(expect), line=lambda key: 1)
    return check.evaluate(observation).passed


@pytest.mark.parametrize("part", [{"lacks": ["x"]}, {"tools": {"lacks": ["create"]}}, {"rule": False}])
def test_a_model_that_received_nothing_was_not_sent_a_request_without_something(part: dict[str, Any]) -> None:
    assert passed({"received": part}, received(request(system="Be kind.")))
    assert not passed({"received": part}, received())


def test_a_gate_that_let_all_through_gave_no_reason() -> None:
    assert passed({"gate": {"because": ".*"}}, seen(gate("guard", why="no")))
    assert not passed({"gate": {"because": ".*"}}, seen(gate()))


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"block": {"step": "confirm", "only_rows": True}}, "'only_rows'"),
        ({"block": {"step": "confirm", "rows": {}}}, "'rows' names none"),
        ({"write": {"arguments": {"title": "x"}}}, "say how many: 'attempted'"),
        ({"write": {"attempted": 0, "arguments": {"title": "x"}}}, "say how many: 'attempted'"),
        ({"text": {"contains": [""]}}, "at least 1 character"),
        ({"line": {"lacks": ["x", ""]}}, "at least 1 character"),
        ({"text": {"matches": ""}}, "at least 1 character"),
        ({"received": {"contains": [""]}}, "at least 1 character"),
        ({"gate": {"because": ""}}, "at least 1 character"),
        ({"tools_called": [{"find": {"query": {"matches": ""}}}]}, "'matches', which takes a regular expression"),
    ],
)
def test_a_check_that_looks_at_nothing_is_refused(expect: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ExpectForm.model_validate(expect)


def test_a_block_with_no_rows_at_all_can_be_expected() -> None:
    assert ExpectForm.model_validate({"block": {"step": "confirm", "rows": {}, "only_rows": True}})
