"""What the fault benchmark counts."""

from __future__ import annotations

import pytest
from benchmarks.reds.case import RedCase
from benchmarks.reds.measure import measure


def case(kind: str, truth: str) -> RedCase:
    return RedCase(
        kind=kind,
        family=truth,
        truth=truth,
        red="a::b::c::d",
        test="a::b",
        seed=0,
        message="",
        trace="",
        retries=(),
        base=None,
        history=(),
        together=1,
        run_reds=1,
        run_tests=1,
    )


CASES = [case("crash", "regression")] * 3 + [case("whitespace", "brittle_check")]


def test_accuracy_counts_reds() -> None:
    assert measure(CASES, ["regression"] * 4).accuracy == 0.75


def test_balanced_accuracy_counts_each_kind_the_same() -> None:
    assert measure(CASES, ["regression"] * 4).balanced == 0.5


def test_a_regression_that_is_called_unclassified_is_not_exonerated() -> None:
    found = measure(CASES, ["unclassified", "pre_existing", "regression", "brittle_check"])
    assert (found.exonerated, found.regressions) == (1, 3)


def test_a_class_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="'flaky' is no class"):
        measure(CASES, ["flaky"] * 4)
