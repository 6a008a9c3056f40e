"""pass^k: the chance that k runs in a row pass, and what no pass at all still allows."""

from __future__ import annotations

from math import comb

from marg_runtime.intervals import CONFIDENCE


def pass_power(passes: int, of: int, *, k: int) -> float:
    """The unbiased estimate of the chance that all of k runs pass, from `passes` of `of` runs.

    Source: the estimator of tau-bench (S. Yao et al., 2024), C(passes, k) / C(of, k).
    Raises ValueError where k is not between 1 and `of`, or `passes` not between 0 and `of`.
    """
    if not 1 <= k <= of or not 0 <= passes <= of:
        raise ValueError(f"k is 1 to of, passes 0 to of; got passes={passes!r}, of={of!r}, k={k!r}")
    return comb(passes, k) / comb(of, k)


def zero_passes_bound(runs: int, *, confidence: float = CONFIDENCE) -> float:
    """The highest pass rate that no pass in `runs` runs leaves possible, one-sided.

    It is `1 - (1 - confidence) ** (1 / runs)`, the rate at which no pass is as rare as 1 - confidence.
    Raises ValueError for less than one run.
    """
    if runs < 1:
        raise ValueError(f"runs is at least 1; got {runs!r}")
    return float(1 - (1 - confidence) ** (1 / runs))
