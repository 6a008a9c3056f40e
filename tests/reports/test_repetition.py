"""Repeated runs: passes of runs, intervals, pass^k; what was not measured counts in no rate."""

from __future__ import annotations

import pytest

from marg_reports import CheckRecord, RunRecord, ScenarioRecord, TurnRecord
from marg_reports.repetition import repetition_report


def run(*passed: bool, kind: str = "draft") -> RunRecord:
    scenarios = []
    for number, good in enumerate(passed):
        check = CheckRecord(id=kind, kind=kind, owner="model", line=1, passed=good, expected=1, got=1)
        turn = TurnRecord(id="t", line=1, checks=(check,), transcript=(), request_digests=(), events=())
        scenarios.append(
            ScenarioRecord(name=f"s{number}", path="a.yaml", line=1, turns=(turn,), turns_planned=1, writes=0)
        )
    return RunRecord(version="0.1.0", scenarios=tuple(scenarios))


def test_passes_are_counted_by_scenario_and_summed() -> None:
    # There was no pass rate of one scenario (promptfoo/promptfoo 5847).
    report = repetition_report([run(True, False), run(True, True), run(False, True)])
    assert [(one.title, one.passes, one.of) for one in report.repetitions] == [("s0", 2, 3), ("s1", 2, 3)]
    assert (report.total.passes, report.total.of) == (4, 6)


def test_pass_power_is_estimated_for_as_many_as_there_are_runs() -> None:
    report = repetition_report([run(True), run(True), run(False), run(True)])
    assert report.powers == (1, 2, 4)
    assert report.repetitions[0].power(2) == pytest.approx(3 / 6)
    assert report.mean_power(4) == 0


def test_the_interval_holds_the_rate() -> None:
    one = repetition_report([run(True), run(False)]).repetitions[0]
    assert one.interval.low < 0.5 < one.interval.high


def test_a_run_that_a_network_stopped_is_invalid_and_counts_in_no_rate() -> None:
    # Errored samples left the denominator in silence (UKGovernmentBEIS/inspect_ai 3707).
    report = repetition_report([run(True), run(False, kind="network")])
    assert (report.repetitions[0].passes, report.repetitions[0].of, report.repetitions[0].invalid) == (1, 1, 1)
