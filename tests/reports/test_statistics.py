"""The statistics: against scipy, which is a development dependency only, on 10,000 random tables."""

from __future__ import annotations

import random
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import betainc, gammaln, roots_legendre
from scipy.stats import beta, binom, binomtest, hypergeom

from marg_reports.statistics import (
    STAGES,
    Rate,
    difference_below,
    fisher_greater,
    holm,
    mcnemar,
    pass_power,
    stage_after,
    zero_passes_bound,
)
from marg_runtime.intervals import clopper_pearson, wilson

TABLES = 10_000
CLOSE = 1e-9


def random_tables(*, most: int) -> list[tuple[Rate, Rate]]:
    drawn = random.Random(20261130)

    def rate() -> Rate:
        of = drawn.randint(1, most)
        return Rate(hits=drawn.randint(0, of), of=of)

    return [(rate(), rate()) for _ in range(TABLES)]


def test_fisher_agrees_with_scipy_on_every_random_table() -> None:
    tables = random_tables(most=80)
    ours = np.array([fisher_greater(head, base) for head, base in tables])
    head_hits = np.array([head.hits for head, _ in tables])
    hits = np.array([head.hits + base.hits for head, base in tables])
    of = np.array([head.of + base.of for head, base in tables])
    theirs = hypergeom.sf(head_hits - 1, of, hits, np.array([head.of for head, _ in tables]))
    assert np.abs(ours - theirs).max() < CLOSE


def test_mcnemar_agrees_with_scipy_on_every_random_table() -> None:
    pairs = [(head.hits, base.hits) for head, base in random_tables(most=60)]
    ours = np.array([mcnemar(*pair) for pair in pairs])
    theirs = np.minimum(1, 2 * binom.cdf([min(pair) for pair in pairs], [sum(pair) for pair in pairs], 0.5))
    assert np.abs(ours - theirs).max() < CLOSE


def test_the_intervals_agree_with_scipy_on_every_random_table() -> None:
    rates = [head for head, _ in random_tables(most=400)]
    hits, of = np.array([rate.hits for rate in rates]), np.array([rate.of for rate in rates])
    exact = [clopper_pearson(rate.hits, rate.of) for rate in rates]
    low = np.where(hits == 0, 0.0, beta.ppf(0.025, np.maximum(hits, 1), of - hits + 1))
    high = np.where(hits == of, 1.0, beta.ppf(0.975, hits + 1, np.maximum(of - hits, 1)))
    assert np.abs(np.array([ends.low for ends in exact]) - low).max() < CLOSE
    assert np.abs(np.array([ends.high for ends in exact]) - high).max() < CLOSE


def test_wilson_agrees_with_scipy_on_every_random_table() -> None:
    # One result of scipy's test is asked again and again: its test itself takes far longer than its interval.
    result = binomtest(1, 2)
    for rate, _ in random_tables(most=400):
        result.k, result.n = rate.hits, rate.of
        theirs, ours = result.proportion_ci(method="wilson"), wilson(rate.hits, rate.of)
        assert max(abs(ours.low - theirs.low), abs(ours.high - theirs.high)) < CLOSE


def test_holm_rejects_at_every_level_what_the_step_down_procedure_rejects() -> None:
    drawn = np.random.default_rng(20261130)
    chances = drawn.random((TABLES, 7)) ** 3
    ours = np.array([holm(row) for row in chances.tolist()])
    # Sorted, the test of rank r is rejected while all of ranks up to r are at most level / (m - r).
    order = np.argsort(chances, axis=1)
    needed = np.take_along_axis(chances, order, axis=1) * np.arange(7, 0, -1)
    theirs = np.minimum(1, np.maximum.accumulate(needed, axis=1))
    assert np.abs(np.take_along_axis(ours, order, axis=1) - theirs).max() < CLOSE


@pytest.mark.parametrize(("tables", "most"), [(TABLES, 40), (100, 400)])
def test_the_posterior_of_a_difference_agrees_with_scipy_on_every_random_table(tables: int, most: int) -> None:
    drawn = random_tables(most=most)[:tables]
    ours = np.array([difference_below(head, base, margin=0.3) for head, base in drawn])
    assert np.abs(ours - integrated(drawn, margin=0.3)).max() < CLOSE


def integrated(tables: list[tuple[Rate, Rate]], *, margin: float) -> NDArray[np.float64]:
    """scipy's incomplete beta function under Gauss and Legendre's rule, over the angle whose squared sine is the base's
    rate, bent at its end, where the head's share has an infinite slope."""
    counts = [(head.hits, head.misses, base.hits, base.misses) for head, base in tables]
    a, b, c, d = (np.array(column)[:, None] + 0.5 for column in zip(*counts, strict=True))
    nodes, weights = roots_legendre(160)
    left = (1 - nodes) / 2
    turn = np.arcsin(np.sqrt(1 - margin))
    angle = turn * (1 - left**2)
    log_density = gammaln(c + d) - gammaln(c) - gammaln(d) + np.log(2)
    log_density = log_density + (2 * c - 1) * np.log(np.sin(angle)) + (2 * d - 1) * np.log(np.cos(angle))
    shares = betainc(a, b, np.minimum(np.sin(angle) ** 2 + margin, 1))
    inner = (np.exp(log_density) * shares * left * turn * weights).sum(axis=1)
    return np.asarray(inner + betainc(d, c, margin)[:, 0], dtype=np.float64)


@pytest.mark.parametrize("hits", [0, 1])
def test_the_posterior_of_a_difference_stays_a_chance_at_the_poles(hits: int) -> None:
    assert 0 <= difference_below(Rate(hits=hits, of=1), Rate(hits=0, of=1), margin=0.3) <= 1


def test_one_sided_fisher_of_nineteen_against_one_of_twenty() -> None:
    # 400 tables of 20 successes that are this uneven or more, of all C(40, 20).
    assert fisher_greater(Rate(hits=19, of=20), Rate(hits=1, of=20)) == pytest.approx((400 + 1) / comb(40, 20))


def test_three_of_twenty_against_one_of_twenty_is_no_proof_either_way() -> None:
    head, base = Rate(hits=3, of=20), Rate(hits=1, of=20)
    assert fisher_greater(head, base) > 0.01


def test_holm_multiplies_the_least_chance_by_the_number_of_tests() -> None:
    assert holm([0.03, 0.01, 0.5]) == pytest.approx((0.06, 0.03, 0.5))


@given(chances=st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_never_lowers_a_chance(chances: list[float]) -> None:
    adjusted = holm(chances)
    assert all(after >= before for before, after in zip(chances, adjusted, strict=True))
    ranked = sorted(zip(chances, adjusted, strict=True))
    assert [after for _, after in ranked] == sorted(after for _, after in ranked)


@pytest.mark.parametrize(("runs", "bound"), [(3, 0.63), (5, 0.45), (10, 0.26), (20, 0.14), (59, 0.05)])
def test_no_pass_in_k_bounds_the_pass_rate_as_the_design_says(runs: int, bound: float) -> None:
    assert round(zero_passes_bound(runs), 2) == bound


def test_pass_power_counts_the_draws_that_all_pass() -> None:
    assert pass_power(14, 20, k=2) == pytest.approx(14 * 13 / (20 * 19))


@given(of=st.integers(1, 40), data=st.data())
def test_pass_power_falls_with_k_and_starts_at_the_share(of: int, data: st.DataObject) -> None:
    passes = data.draw(st.integers(0, of))
    powers = [pass_power(passes, of, k=k) for k in range(1, of + 1)]
    assert powers[0] == pytest.approx(passes / of)
    assert powers == sorted(powers, reverse=True)


def test_the_stages_spend_one_in_a_hundred_together() -> None:
    assert sum(stage.alpha for stage in STAGES) == pytest.approx(0.01)


def test_after_the_last_stage_there_is_none() -> None:
    assert stage_after(0) == STAGES[0]
    assert stage_after(STAGES[-1].runs) is None


@pytest.mark.parametrize("call", [lambda: Rate(hits=3, of=2), lambda: pass_power(1, 2, k=3), lambda: mcnemar(-1, 0)])
def test_counts_that_cannot_be_are_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"got"):
        call()


def test_wilson_is_narrower_than_the_exact_interval() -> None:
    assert wilson(3, 20).high < clopper_pearson(3, 20).high
