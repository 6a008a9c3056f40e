"""Every kind of check passes on what it expects and fails on anything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError
from tests.scenarios.check_cases import CASES, Case, every_case
from tests.scenarios.seen_turns import BLOCK, called, gate, holding, seen, settled, value

from marg_reports.forms import DeclaredForm, declared_form
from marg_runtime.canonical import canonical_json
from marg_runtime.events import Event
from marg_runtime.events.model import QuestionCut
from marg_scenarios.checks import checks_of
from marg_scenarios.forms import ExpectForm


def test_every_kind_of_check_is_among_the_cases() -> None:
    assert {key for case in CASES for key in case.expect} == set(ExpectForm.model_fields) - {"canonical"}


@every_case
def test_a_check_passes_on_what_it_expects(case: Case) -> None:
    assert case.check.evaluate(case.right).passed


@every_case
def test_a_check_fails_on_anything_else(case: Case) -> None:
    assert [case.check.evaluate(observation).passed for observation in case.wrong] == [False] * len(case.wrong)


@every_case
def test_a_verdict_holds_json_alone(case: Case) -> None:
    for verdict in map(case.check.evaluate, (case.right, *case.wrong)):
        assert canonical_json([verdict.expected, verdict.got])


@every_case
def test_what_a_failed_check_expected_is_not_what_it_got(case: Case) -> None:
    for verdict in map(case.check.evaluate, case.wrong):
        assert canonical_json(verdict.expected) != canonical_json(verdict.got)


@every_case
def test_a_check_is_named_by_its_kind_and_knows_its_line(case: Case) -> None:
    name = "custom.own" if case.check.kind == "custom" else case.check.kind
    assert ([case.check.kind], case.check.id, case.check.line) == (list(case.expect), name, 12)


def test_only_the_models_own_words_are_the_models_to_answer_for() -> None:
    assert {case.check.kind for case in CASES if case.check.owner == "model"} == {"text"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"lead": "How urgent is it?"},
        {"kind": "text"},
        {"options": ["High", "Low"]},
        {"options": ["Low"]},
        {"rows": {"title": "Other"}},
        {"rows": {"category": "Bug"}},
    ],
)
def test_a_block_is_compared_by_every_part_that_is_named(wrong: Mapping[str, Any]) -> None:
    right = {"lead": "How urgent?", "kind": "chips", "options": ["Low", "High"], "rows": {"title": "Login"}}
    good = Case(expect={"block": {"step": "priority", **right}}, right=seen(block=BLOCK), wrong=())
    bad = Case(expect={"block": {"step": "priority", **right, **wrong}}, right=seen(block=BLOCK), wrong=())
    assert (good.check.evaluate(good.right).passed, bad.check.evaluate(bad.right).passed) == (True, False)


def test_a_cut_that_was_not_expected_is_shown_with_its_sentence() -> None:
    case = Case(expect={"cut": []}, right=seen(QuestionCut(step="title", sentence="Which title?")), wrong=())
    assert case.check.evaluate(case.right).got == [{"title": "Which title?"}]


def test_the_arguments_of_every_attempt_must_fit() -> None:
    case = Case(
        expect={"write": {"attempted": 2, "arguments": {"title": "x"}}},
        right=seen(gate(title="x"), gate(title="x")),
        wrong=(seen(gate(title="x"), gate(title="y")),),
    )
    assert [case.check.evaluate(found).passed for found in (case.right, *case.wrong)] == [True, False]


def test_checks_stand_in_the_order_of_the_form() -> None:
    form = ExpectForm.model_validate({"events": {"has": ["UserSaid"]}, "model_calls": 1, "reading": "content"})
    assert [check.kind for check in checks_of(form, line=lambda key: 1)] == ["reading", "model_calls", "events"]


def nothing_else(expect: Mapping[str, Any], *events: Event) -> bool:
    checks = checks_of(ExpectForm.model_validate({**expect, "nothing_else": True}), line=lambda key: 1)
    return checks[-1].evaluate(seen(*events)).passed


def test_nothing_else_leaves_out_what_the_other_checks_look_at() -> None:
    assert nothing_else({"facts": ["x"]}, settled("x"))
    assert nothing_else({"events": {"has": ["ToolCalled"]}}, called("find"))
    assert not nothing_else({"facts": ["x"]}, settled("x"), called("find"))


def test_a_custom_check_of_truth_is_its_own_verdict() -> None:
    (check,) = checks_of(
        ExpectForm.model_validate({"custom": {"own": 3}}), line=lambda key: 1, custom={"own": lambda *_: False}
    )
    assert not check.evaluate(seen()).passed


def test_a_judgement_needs_no_turn_and_a_form_is_applied_to_both_sides() -> None:
    (check,) = checks_of(ExpectForm.model_validate({"draft": {"title": "a b"}}), line=lambda key: 1)
    seen_then = check.look(holding(title=value("A  B")))
    assert not check.judge(seen_then).passed
    assert check.judge(seen_then, form=lambda part: canonical_json(part).casefold().replace(" ", "")).passed


def test_a_check_keeps_the_forms_that_are_declared_for_it_and_its_verdict_stays() -> None:
    form = ExpectForm.model_validate({"draft": {"title": "a"}, "canonical": {"draft": ["case"]}})
    (check,) = checks_of(form, line=lambda key: 1)
    assert (check.canonical, check.evaluate(holding(title=value("A"))).passed) == ((DeclaredForm(name="case"),), False)


def test_a_check_declares_texts_that_mean_the_same_and_the_keys_that_it_means() -> None:
    declared = [{"wording": [["urgent", "pressing"]]}, {"over_specified": ["title"]}]
    form = ExpectForm.model_validate({"draft": {"title": "urgent", "details": "x"}, "canonical": {"draft": declared}})
    (check,) = checks_of(form, line=lambda key: 1)
    seen_then = check.look(holding(title=value("pressing"), details=value("y")))
    assert not check.judge(seen_then).passed
    assert check.judge(seen_then, form=declared_form(check.canonical)).passed


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ("wording", "whitespace"),
        ("over_specified", "whitespace"),
        ({"wording": [["only one"]]}, "at least 2"),
        ({"over_specified": []}, "at least 1"),
        ({"spelling": []}, "wording"),
    ],
)
def test_a_form_without_what_it_needs_is_refused(declared: object, problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        ExpectForm.model_validate({"draft": {"title": "a"}, "canonical": {"draft": [declared]}})


def test_a_form_that_is_declared_twice_is_refused() -> None:
    with pytest.raises(ValidationError, match="'case' is declared twice"):
        ExpectForm.model_validate({"draft": {"title": "a"}, "canonical": {"draft": ["case", "case"]}})
