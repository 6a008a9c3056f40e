"""The intervals: checked against scipy, which is a development dependency only."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest

from marg_runtime.intervals import Interval, clopper_pearson, wilson

COUNTS = [(0, 1), (1, 1), (0, 521), (235, 521), (521, 521), (1, 8876), (5432, 8876), (3, 20580), (999_999, 1_000_000)]

shares = st.integers(1, 5000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


@pytest.mark.parametrize(("hits", "of"), COUNTS)
def test_wilson_agrees_with_scipy(hits: int, of: int) -> None:
    expected = binomtest(hits, of).proportion_ci(method="wilson")
    assert wilson(hits, of).low == pytest.approx(expected.low, abs=1e-12)
    assert wilson(hits, of).high == pytest.approx(expected.high, abs=1e-12)


@pytest.mark.parametrize(("hits", "of"), COUNTS)
def test_clopper_pearson_agrees_with_the_beta_quantiles_of_scipy(hits: int, of: int) -> None:
    low = beta.ppf(0.025, hits, of - hits + 1) if hits else 0.0
    high = beta.ppf(0.975, hits + 1, of - hits) if hits < of else 1.0
    assert clopper_pearson(hits, of).low == pytest.approx(low, rel=1e-7, abs=1e-12)
    assert clopper_pearson(hits, of).high == pytest.approx(high, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.99])
def test_another_confidence_agrees_with_scipy(confidence: float) -> None:
    expected = binomtest(7, 90).proportion_ci(confidence, method="exact")
    exact = clopper_pearson(7, 90, confidence=confidence)
    assert (exact.low, exact.high) == pytest.approx((expected.low, expected.high), rel=1e-6)


def test_zero_of_521_is_at_most_seven_in_a_thousand() -> None:
    assert clopper_pearson(0, 521).high == pytest.approx(1 - 0.025 ** (1 / 521), rel=1e-12)


@pytest.mark.parametrize("method", [wilson, clopper_pearson])
def test_nothing_counted_leaves_everything_possible(method: Callable[[int, int], Interval]) -> None:
    assert method(0, 0) == Interval(low=0.0, high=1.0)


@given(share=shares)
def test_both_intervals_hold_the_share_itself(share: tuple[int, int]) -> None:
    hits, of = share
    for ends in (wilson(hits, of), clopper_pearson(hits, of)):
        assert 0 <= ends.low <= hits / of <= ends.high <= 1


@given(share=shares)
def test_the_two_ends_mirror_when_hits_and_failures_swap(share: tuple[int, int]) -> None:
    hits, of = share
    assert clopper_pearson(of - hits, of).low == pytest.approx(1 - clopper_pearson(hits, of).high, abs=1e-9)


@pytest.mark.parametrize(("hits", "of"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(hits: int, of: int) -> None:
    with pytest.raises(ValueError, match=f"hits={hits}, of={of}"):
        clopper_pearson(hits, of)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95])
def test_a_confidence_that_is_not_a_share_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        wilson(1, 2, confidence=confidence)
