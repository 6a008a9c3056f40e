"""The intent of a check: declared forms satisfy it, and meaning-changing mutants are still refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from marg_harness.evidence.intent import Checks, intent_cell, is_judgeable
from marg_reports import CheckRecord, Line, Red, ScenarioRecord, TurnRecord
from marg_reports.triage import IntentCell, classify
from marg_reports.triage.cell import BundleCell, CellRun, RunsCell
from marg_reports.triage.evidence import Evidence, RedFacts
from marg_reports.triage.findings import LEAST_MUTANTS
from marg_runtime.canonical import Json
from marg_scenarios import Check
from marg_scenarios.checks import checks_of
from marg_scenarios.forms import ExpectForm


def check_that(expect: Mapping[str, Any]) -> Check:
    return checks_of(ExpectForm.model_validate(expect), line=lambda key: 1)[0]


def red_of(check: Check, got: Json, *, path: str = "a.scenario.yaml") -> Red:
    verdict = check.judge(got)
    record = CheckRecord(
        id=check.id,
        kind=check.kind,
        owner="runtime",
        line=1,
        passed=verdict.passed,
        expected=verdict.expected,
        got=got,
    )
    turn = TurnRecord(
        id="t1", line=1, checks=(record,), transcript=(Line(by="user", text="hi"),), request_digests=(), events=()
    )
    scenario = ScenarioRecord(name="a", path=path, line=1, turns=(turn,), turns_planned=1, writes=0)
    return Red(scenario=scenario, turn=0, check=record)


def cell_of(expect: Mapping[str, Any], *, got: Json, passed: Json) -> IntentCell:
    check = check_that(expect)
    assert check.judge(passed).passed
    return intent_cell(red_of(check, got), check, passing=lambda: [passed])


def verdict_on(cell: IntentCell) -> str:
    """What the classifier makes of a red that stands, with this cell."""
    failed = CellRun(outcome="fail", signature="s", canonical="bad")
    cells = (
        BundleCell(),
        RunsCell(name="clean_wire", runs=(failed,)),
        RunsCell(name="varied", runs=(failed, failed, failed)),
        cell,
    )
    return classify(Evidence(red=RedFacts(id="r", owner="runtime", signature="s"), cells=cells)).name


WORDING = {"wording": [["Priority set to", "Urgency set to"]]}
FACTS: Mapping[str, Any] = {"facts": ["Priority set to High."], "canonical": {"facts": [WORDING]}}
PINNED: Mapping[str, Any] = {
    "draft": {"priority": "high", "details": "a b"},
    "canonical": {"draft": [{"over_specified": ["priority"]}]},
}


def test_another_agreed_wording_is_a_brittle_check_of_wording() -> None:
    cell = cell_of(FACTS, got=["Urgency set to High."], passed=["Priority set to High."])
    assert (cell.declared, cell.satisfied_by) == (("wording",), "wording")
    assert verdict_on(cell) == "brittle_check.wording"


def test_another_value_behind_an_agreed_wording_is_not_excused() -> None:
    cell = cell_of(FACTS, got=["Urgency set to Low."], passed=["Priority set to High."])
    assert cell.satisfied_by is None


def test_wordings_are_found_in_texts_of_another_case_where_that_is_declared_too() -> None:
    expect = {**FACTS, "canonical": {"facts": ["case", WORDING]}}
    cell = cell_of(expect, got=["urgency SET to high."], passed=["Priority set to High."])
    assert verdict_on(cell) == "brittle_check.case"


def test_what_is_pinned_and_not_meant_is_a_brittle_check_over_specified() -> None:
    cell = cell_of(PINNED, got={"priority": "high", "details": "other"}, passed={"priority": "high", "details": "a b"})
    assert cell.satisfied_by == "over_specified"
    assert verdict_on(cell) == "brittle_check.over_specified"


def test_a_key_that_is_meant_is_not_excused_with_the_others() -> None:
    cell = cell_of(PINNED, got={"priority": "low", "details": "a b"}, passed={"priority": "high", "details": "a b"})
    assert cell.satisfied_by is None


@pytest.mark.parametrize(("expect", "passed"), [(FACTS, ["Priority set to High."]), (PINNED, PINNED["draft"])])
def test_at_least_five_mutants_change_the_meaning_and_all_are_refused(expect: Mapping[str, Any], passed: Json) -> None:
    cell = cell_of(expect, got=None, passed=passed)
    assert cell.rejected == cell.mutants >= LEAST_MUTANTS


def test_a_form_that_lets_everything_go_leaves_too_few_mutants_to_excuse_anything() -> None:
    expect = {"draft": {"details": "a"}, "canonical": {"draft": [{"over_specified": ["no_such_key"]}]}}
    cell = cell_of(expect, got={"details": "b"}, passed={"details": "a"})
    assert (cell.satisfied_by, cell.mutants < LEAST_MUTANTS) == ("over_specified", True)
    assert verdict_on(cell) != "brittle_check.over_specified"


def test_without_a_declaration_no_passing_run_is_asked_for() -> None:
    check = check_that({"draft": {"priority": "high"}})
    cell = intent_cell(red_of(check, {"priority": "low"}), check, passing=lambda: pytest.fail("nobody needs it"))
    assert cell == IntentCell(declared=())


SCENARIO = """\
scenario: a
domain: support_intake
{more}turns:
  - say: My login fails since this morning.
    id: t1
    expect: {{draft: {{priority: high}}{canonical}}}
"""


@pytest.mark.parametrize(
    ("more", "canonical", "found"),
    [("", ", canonical: {draft: [case]}", True), ("", "", False), ("include: [b.fixtures.yaml]\n", "", True)],
)
def test_a_file_is_loaded_only_where_it_or_what_it_includes_declares_a_form(
    more: str, canonical: str, found: bool, tmp_path: Path
) -> None:
    (tmp_path / "a.scenario.yaml").write_text(SCENARIO.format(more=more, canonical=canonical))
    (tmp_path / "b.fixtures.yaml").write_text(
        "fixtures:\n  said:\n    turns:\n      - say: hello\n"
        "        expect: {draft: {priority: null}, canonical: {draft: [case]}}\n"
    )
    red = red_of(check_that({"draft": {"priority": "high"}}), {"priority": "low"})
    assert (Checks(tmp_path).check_of(red) is not None) is found


def test_what_had_a_secret_removed_is_judged_in_no_form() -> None:
    declared = check_that({"draft": {"title": "a b"}, "canonical": {"draft": ["case"]}})
    plain = check_that({"draft": {"title": "a b"}})
    kept, removed = {"title": "A B"}, {"title": "A [removed]"}
    judged = [is_judgeable(red_of(check, got), check) for check in (declared, plain) for got in (kept, removed)]
    assert judged == [True, False, True, True]
