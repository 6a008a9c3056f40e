"""What runs that waver say beside the base's."""

from __future__ import annotations

from marg_harness.evidence.wavering import ROUNDS, tells, wavers
from marg_reports.triage import CellRun

PASS = CellRun(outcome="pass")
RED = CellRun(outcome="fail", signature="the red's own")
OTHER = CellRun(outcome="fail", signature="another")
FEW, MANY = ROUNDS


def runs(failing: int, of: int = FEW, *, run: CellRun = RED, first: bool = True) -> list[CellRun]:
    """So many failing runs of so many, at the beginning or at the end."""
    failed, passed = [run] * failing, [PASS] * (of - failing)
    return failed + passed if first else passed + failed


def said(head: list[CellRun], base: list[CellRun]) -> bool:
    return tells(head, base, signature=RED.signature)


def test_runs_that_fail_in_two_ways_waver_and_runs_that_fail_alike_do_not() -> None:
    assert wavers([RED, OTHER])
    assert not wavers([RED, RED])


def test_three_runs_a_side_never_tell() -> None:
    assert not said([RED, PASS, RED], [PASS, PASS, PASS])
    assert not said([RED, PASS, RED], [RED, PASS, RED])


def test_what_fails_in_the_same_variations_on_both_sides_is_told() -> None:
    assert said(runs(1), runs(1))


def test_a_head_that_fails_now_and_then_is_told_from_a_base_that_never_does() -> None:
    assert said(runs(10), runs(0))


def test_a_few_failures_are_not_told_from_none() -> None:
    assert not said(runs(2), runs(0))


def test_what_one_variation_always_does_on_the_head_and_never_on_the_base_is_told() -> None:
    assert said([RED, PASS, PASS] * (FEW // 3), runs(0))
    assert not said([RED, PASS, PASS] * (FEW // 3 - 1) + [PASS, PASS, PASS], runs(0))


def test_a_base_that_wavers_as_often_is_told_after_forty_runs() -> None:
    assert said(runs(20, MANY), runs(20, MANY, first=False))


def test_a_base_that_wavers_less_tells_nothing_so_that_a_risen_rate_is_never_called_old() -> None:
    assert not said(runs(36, MANY), runs(8, MANY))


def test_a_base_that_fails_as_often_in_another_way_tells_nothing() -> None:
    assert not said(runs(20, MANY), runs(20, MANY, run=OTHER, first=False))


def test_a_run_that_was_not_measured_tells_nothing() -> None:
    assert not said(runs(10), [CellRun(outcome="invalid"), *runs(0, FEW - 1)])
