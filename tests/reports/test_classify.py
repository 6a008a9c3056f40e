"""The classifier: one red a rule, the laws, and the proof that taking evidence away never gives another class."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marg_reports.statistics import Rate
from marg_reports.triage import (
    BundleCell,
    Cell,
    CellName,
    CellRun,
    Evidence,
    IntentCell,
    LiveCell,
    OutageCell,
    RedFacts,
    RunsCell,
    SettingsCell,
    classify,
)
from marg_reports.triage.rules import RULES
from marg_reports.triage.words import Outcome, Raised

SIGNATURE = "the red's own"
RED = RedFacts(id="a.yaml::a::t1::draft", owner="runtime", signature=SIGNATURE)
DRAWN = replace(RED, owner="model", replies="recorded", flake="skipped_question")

PASS = CellRun(outcome="pass", canonical="good", request_digests=("1",))
SAME = CellRun(outcome="fail", signature=SIGNATURE, canonical="bad", request_digests=("1",))
OTHER = replace(SAME, signature="another", canonical="worse")
ABSENT = CellRun(outcome="absent")
INVALID = CellRun(outcome="invalid")
EQUAL_PASS = replace(PASS, canonical="bad")
OTHER_DIGESTS = replace(SAME, request_digests=("2",))


def cell(name: CellName, *runs: CellRun) -> RunsCell:
    return RunsCell(name=name, runs=runs)


COMPLETE = BundleCell()
STANDS = (COMPLETE, cell("clean_wire", SAME), cell("varied", SAME, SAME, SAME), IntentCell(declared=()))
GONE = (COMPLETE, cell("clean_wire", PASS), cell("varied", PASS, PASS, PASS))
WAVERS = (COMPLETE, cell("varied", PASS, SAME, PASS))
LEAKS = (*GONE, cell("alone", PASS), cell("in_order", SAME))
BROKEN = replace(RED, wire="broken", wire_kind="truncated")
ON_THE_WIRE = (*GONE, cell("in_order", PASS))
MOVED = (cell("base_runtime", SAME), cell("base_pair", EQUAL_PASS), cell("base_check", PASS))
SLIPPED = (COMPLETE, cell("clean_wire", SAME), cell("varied", PASS, PASS, PASS), IntentCell(declared=()))
BOTH_SLIP = (*SLIPPED, cell("base_pair", SAME))


def live(head: int, base: int, of: int) -> LiveCell:
    return LiveCell(head=Rate(hits=head, of=of), base=Rate(hits=base, of=of))


CASES: dict[str, tuple[RedFacts, tuple[Cell, ...]]] = {
    "transport.truncated": (BROKEN, (*ON_THE_WIRE, SettingsCell(differ=False))),
    "transport.rate_limit": (
        replace(BROKEN, wire_kind="rate_limit"),
        (*ON_THE_WIRE, SettingsCell(differ=True, base_passes=False)),
    ),
    "regression.transport_config": (BROKEN, (*ON_THE_WIRE, SettingsCell(differ=True, base_passes=True))),
    "brittle_check.order": (RED, (*LEAKS, cell("base_in_order", SAME), cell("fresh_runtime", SAME))),
    "pre_existing.state_leak": (
        RED,
        (*LEAKS, cell("base_in_order", SAME), cell("old_judges_in_order", SAME), cell("fresh_runtime", PASS)),
    ),
    "regression.state_leak": (RED, (*LEAKS, cell("base_in_order", PASS))),
    "brittle_check.whitespace": (
        RED,
        (*STANDS[:3], IntentCell(declared=("whitespace",), satisfied_by="whitespace", rejected=5, mutants=5)),
    ),
    "brittle_check.tightened": (
        RED,
        (*STANDS, cell("base_runtime", SAME), cell("base_pair", EQUAL_PASS), cell("base_check", PASS)),
    ),
    "brittle_check.mock_drift": (replace(RED, owner="model", raised="machine"), (*STANDS, *MOVED)),
    "brittle_check.error": (replace(RED, raised="check"), (*STANDS, *MOVED)),
    "regression.behaviour": (RED, (*STANDS, cell("base_runtime", PASS))),
    "regression.crash": (replace(RED, raised="runtime"), (*STANDS, cell("base_runtime", PASS))),
    "regression.nondeterminism": (
        RED,
        (*WAVERS, IntentCell(declared=()), cell("base_varied", PASS, PASS, PASS)),
    ),
    "model_flake.skipped_question": (DRAWN, (*BOTH_SLIP, cell("base_runtime", SAME))),
    "regression.rate": (DRAWN, (*BOTH_SLIP, cell("base_runtime", OTHER_DIGESTS), live(30, 2, 40))),
    "pre_existing.defect": (RED, (*STANDS, cell("base_runtime", SAME), cell("base_pair", SAME))),
    "pre_existing.nondeterminism": (
        RED,
        (*WAVERS, IntentCell(declared=()), cell("base_varied", PASS, SAME, SAME)),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_red_of_each_class_is_classified(name: str) -> None:
    red, cells = CASES[name]
    assert classify(Evidence(red=red, cells=cells)).name == name


def test_a_new_check_that_fails_on_both_sides_uncovers_an_old_defect() -> None:
    cells = (*STANDS, cell("base_runtime", SAME), cell("base_pair", ABSENT), cell("base_check", ABSENT))
    assert classify(Evidence(red=RED, cells=cells)).name == "pre_existing.defect"


def test_where_check_and_runtime_both_moved_it_is_a_regression() -> None:
    cells = (*STANDS, cell("base_runtime", SAME), cell("base_pair", PASS), cell("base_check", OTHER))
    assert classify(Evidence(red=RED, cells=cells)).name == "regression.behaviour"


def test_a_prompt_edit_that_leaves_the_rate_alone_is_a_flake() -> None:
    cells = (*BOTH_SLIP, cell("base_runtime", OTHER_DIGESTS), live(12, 12, 40))
    verdict = classify(Evidence(red=DRAWN, cells=cells))
    assert (verdict.name, verdict.confidence) == ("model_flake.skipped_question", "statistical")


def test_three_of_twenty_against_one_of_twenty_decides_nothing_and_asks_for_more_runs() -> None:
    cells = (*BOTH_SLIP, cell("base_runtime", OTHER_DIGESTS), live(3, 1, 20))
    verdict = classify(Evidence(red=DRAWN, cells=cells))
    assert (verdict.name, verdict.command) == ("unclassified.more_runs", "marg triage {run} --live 40")


# The laws


def test_law_2_swapping_names_and_history_changes_nothing_since_no_cell_holds_text() -> None:
    # One message in two tests, two causes, one class (reportportal/reportportal 1005).
    red, cells = CASES["regression.behaviour"]
    renamed = replace(red, id="z.yaml::z::t9::text")
    assert classify(Evidence(red=renamed, cells=cells)).name == "regression.behaviour"


def test_law_3_a_check_of_the_runtimes_is_never_a_model_flake() -> None:
    cells = (*BOTH_SLIP, cell("base_runtime", SAME))
    assert classify(Evidence(red=replace(DRAWN, owner="runtime"), cells=cells)).red_class == "pre_existing"


def test_the_scripted_mock_never_makes_a_model_flake() -> None:
    red, cells = CASES["model_flake.skipped_question"]
    assert classify(Evidence(red=replace(red, replies="mock"), cells=cells)).red_class == "unclassified"


def test_a_recovered_retry_is_never_a_class() -> None:
    red, cells = CASES["transport.truncated"]
    assert classify(Evidence(red=replace(red, wire="recovered"), cells=cells)).red_class == "unclassified"


def test_what_the_base_bears_on_the_same_wire_and_the_head_does_not_is_a_regression_though_nothing_broke() -> None:
    red, cells = CASES["regression.transport_config"]
    names = {classify(Evidence(red=replace(red, wire=wire), cells=cells)).name for wire in ("clean", "recovered")}
    assert names == {"regression.transport_config"}


def test_what_the_base_makes_of_a_wire_that_recovered_too_is_older_than_the_change() -> None:
    cells = (*ON_THE_WIRE, SettingsCell(differ=False, alike=True))
    assert classify(Evidence(red=replace(BROKEN, wire="recovered"), cells=cells)).name == "pre_existing.defect"
    assert classify(Evidence(red=replace(BROKEN, wire="clean"), cells=cells)).red_class == "unclassified"
    assert classify(Evidence(red=BROKEN, cells=cells)).red_class == "transport"


def test_a_regression_with_a_recovered_retry_stays_one() -> None:
    red, cells = CASES["regression.behaviour"]
    assert classify(Evidence(red=replace(red, wire="recovered"), cells=cells)).name == "regression.behaviour"


def test_law_5_an_expected_change_is_unclassified_and_asks_for_a_label() -> None:
    red, cells = CASES["regression.behaviour"]
    verdict = classify(Evidence(red=replace(red, expected_change=True), cells=cells))
    assert verdict.name == "unclassified.intended_change"


def test_what_wavers_in_a_declared_form_alone_is_brittle_and_no_regression() -> None:
    excused = IntentCell(declared=("order",), satisfied_by="order", rejected=5, mutants=5)
    cells = (*WAVERS, excused, cell("base_varied", PASS, PASS, PASS))
    assert classify(Evidence(red=RED, cells=cells)).name == "brittle_check.order"


def test_what_the_heads_own_check_remembers_is_brittle_and_no_old_leak() -> None:
    cells = (*LEAKS, cell("base_in_order", SAME), cell("old_judges_in_order", PASS), cell("fresh_runtime", PASS))
    assert classify(Evidence(red=RED, cells=cells)).name == "brittle_check.order"


def test_runs_of_the_base_that_do_not_tell_decide_nothing_and_are_there_to_be_looked_at() -> None:
    unsure = replace(cell("base_varied", PASS, PASS, PASS), tells=False)
    verdict = classify(Evidence(red=RED, cells=(*WAVERS, IntentCell(declared=()), unsure)))
    assert (verdict.name, verdict.command) == ("unclassified.conflict", "marg explain {red}")


def test_a_base_that_fails_in_another_way_decides_nothing_and_an_older_base_is_asked_for() -> None:
    cells = (*STANDS, cell("base_runtime", OTHER), cell("base_pair", OTHER), cell("base_check", SAME))
    verdict = classify(Evidence(red=RED, cells=cells))
    assert (verdict.name, verdict.command) == ("unclassified.conflict", "marg triage {run} --base REV")


def test_mutants_that_the_check_accepts_do_not_excuse_it() -> None:
    cells = (*STANDS[:3], IntentCell(declared=("case",), satisfied_by="case", rejected=4, mutants=5))
    assert classify(Evidence(red=RED, cells=cells)).red_class == "unclassified"


def test_without_a_base_nothing_is_pre_existing_or_a_regression_and_the_base_is_asked_for() -> None:
    verdict = classify(Evidence(red=RED, cells=STANDS))
    assert (verdict.name, verdict.command) == ("unclassified.no_base", "marg triage {run} --base REV")


def test_a_truncated_bundle_asks_for_the_replies() -> None:
    verdict = classify(Evidence(red=RED, cells=(BundleCell(missing=("replies",)), *STANDS[1:])))
    assert verdict.name == "unclassified.no_replies"


def test_differing_digests_without_live_runs_ask_for_a_key() -> None:
    cells = (*BOTH_SLIP, cell("base_runtime", OTHER_DIGESTS))
    assert classify(Evidence(red=DRAWN, cells=cells)).name == "unclassified.no_key"


def test_an_outage_groups_reds_and_decides_none() -> None:
    red, cells = CASES["regression.behaviour"]
    assert classify(Evidence(red=red, cells=(*cells, OutageCell(alike=9, reds=10)))).name == "regression.behaviour"


def test_an_invalid_run_is_no_evidence() -> None:
    assert classify(Evidence(red=RED, cells=(*STANDS, cell("base_runtime", INVALID)))).red_class == "unclassified"


def test_the_nearest_class_names_the_one_finding_that_keeps_it_away() -> None:
    red, cells = CASES["regression.transport_config"]
    assert "would be transport.truncated if settings were" in classify(Evidence(red=red, cells=cells)).nearest


# The proof


def test_two_rules_of_different_classes_exclude_each_other() -> None:
    pairs = [(a, b) for a, b in combinations(RULES, 2) if a.red_class != b.red_class and not a.excludes(b)]
    assert pairs == []


def test_a_rule_does_not_exclude_itself() -> None:
    assert not any(rule.excludes(rule) for rule in RULES)


@pytest.mark.parametrize("name", CASES)
def test_any_subset_of_the_cells_gives_the_class_or_none(name: str) -> None:
    red, cells = CASES[name]
    whole = Evidence(red=red, cells=cells)
    classes = {
        classify(whole.without(frozenset(removed))).red_class
        for size in range(len(cells) + 1)
        for removed in combinations([one.name for one in cells], size)
    }
    assert classes == {classify(whole).red_class, "unclassified"}


runs = st.builds(
    CellRun,
    outcome=st.sampled_from(get_args(Outcome)),
    signature=st.sampled_from(["", SIGNATURE, "another"]),
    canonical=st.sampled_from(["good", "bad"]),
    request_digests=st.sampled_from([("1",), ("2",)]),
    raised=st.sampled_from(get_args(Raised)),
)
RUN_CELLS = [name for name in get_args(CellName) if name not in ("bundle", "intent", "outage", "settings", "live")]
rates = st.integers(0, 40).map(lambda hits: Rate(hits=hits, of=40))
reds = st.builds(
    RedFacts,
    id=st.just(RED.id),
    owner=st.sampled_from(["runtime", "model"]),
    signature=st.just(SIGNATURE),
    replies=st.sampled_from(["mock", "recorded"]),
    wire=st.sampled_from(["clean", "recovered", "broken"]),
    raised=st.sampled_from(get_args(Raised)),
    expected_change=st.booleans(),
)


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    cells: list[Cell] = [
        RunsCell(name=name, runs=tuple(draw(st.lists(runs, min_size=1, max_size=3)))) for name in RUN_CELLS
    ]
    cells.append(BundleCell(missing=draw(st.sampled_from([(), (), ("replies",)]))))
    declared = draw(st.sampled_from([(), ("case",)]))
    satisfied = draw(st.sampled_from([None, "case"])) if declared else None
    cells.append(IntentCell(declared=declared, satisfied_by=satisfied, rejected=draw(st.integers(4, 5)), mutants=5))
    cells.append(
        SettingsCell(
            differ=draw(st.booleans()),
            base_passes=draw(st.sampled_from([None, True, False])),
            alike=draw(st.booleans()),
        )
    )
    cells.append(LiveCell(head=draw(rates), base=draw(rates), corrected=draw(st.sampled_from([None, 0.001, 0.5]))))
    return Evidence(red=draw(reds), cells=tuple(cells))


@settings(max_examples=300)
@given(evidence=evidences(), removed=st.sets(st.sampled_from(get_args(CellName))))
def test_evidence_taken_away_never_gives_another_class(evidence: Evidence, removed: set[CellName]) -> None:
    whole, less = classify(evidence).red_class, classify(evidence.without(frozenset(removed))).red_class
    assert less in (whole, "unclassified")


@given(evidence=evidences())
def test_only_an_unclassified_red_has_a_reason_and_a_command(evidence: Evidence) -> None:
    verdict = classify(evidence)
    assert (verdict.red_class == "unclassified") == bool(verdict.command) == (verdict.reason is not None)
