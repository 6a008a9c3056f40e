"""Confidence intervals for a share of a count, in pure Python.

They live on the bottom floor because corpora and reports both need them, and packages on one floor may not import one
another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
"""The two-sided confidence that every table of Marg uses."""

_BISECTIONS = 200
"""More halvings than a float has bits: the search stops earlier, when the middle no longer moves."""

_TINY = 1e-300
"""Stands in for a zero denominator in the continued fraction (Lentz's method)."""

_CONVERGED = 1e-16


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Both ends of a confidence interval of a share; each is between 0 and 1."""

    low: float
    high: float


def wilson(hits: int, of: int, *, confidence: float = CONFIDENCE) -> Interval:
    """Give the Wilson score interval, without continuity correction, of the share `hits / of`.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    With nothing counted (`of` is 0) all that is known is that the share is between 0 and 1.

    Raises ValueError when `hits` is not between 0 and `of`, or `confidence` not between 0 and 1.
    """
    _check(hits, of, confidence)
    if of == 0:
        return Interval(low=0.0, high=1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = hits / of
    scale = 1 + z * z / of
    middle = (share + z * z / (2 * of)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    # At the ends the two terms are equal on paper; a float leaves crumbs such as -1e-18.
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == of else min(1.0, middle + half)
    return Interval(low=low, high=high)


def clopper_pearson(hits: int, of: int, *, confidence: float = CONFIDENCE) -> Interval:
    """Give the exact two-sided Clopper-Pearson interval of the share `hits / of`.

    For 0 of n its upper end is `1 - (alpha / 2) ** (1 / n)`, the figure that Marg prints beside every zero count.
    Source: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934).
    With nothing counted (`of` is 0) all that is known is that the share is between 0 and 1.

    Raises ValueError when `hits` is not between 0 and `of`, or `confidence` not between 0 and 1.
    """
    _check(hits, of, confidence)
    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else _beta_quantile(tail, hits, of - hits + 1)
    high = 1.0 if hits == of else _beta_quantile(1 - tail, hits + 1, of - hits)
    return Interval(low=low, high=high)


def _check(hits: int, of: int, confidence: float) -> None:
    if not 0 <= hits <= of:
        raise ValueError(f"hits must be between 0 and of; got hits={hits!r}, of={of!r}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1; got {confidence!r}")


def _beta_quantile(chance: float, a: int, b: int) -> float:
    """Find the x at which the regularized incomplete beta function I_x(a, b) equals `chance`."""
    if a == 1:
        return -math.expm1(math.log1p(-chance) / b)
    if b == 1:
        return math.exp(math.log(chance) / a)
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if _beta_share(middle, a, b) < chance:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_share(x: float, a: int, b: int) -> float:
    """Compute the regularized incomplete beta function I_x(a, b) for x strictly between 0 and 1."""
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    front = math.exp(log_front)
    # The fraction converges fast only below the mean; above it the mirrored one does.
    if x < (a + 1) / (a + b + 2):
        return front * _continued_fraction(x, a, b) / a
    return 1 - front * _continued_fraction(1 - x, b, a) / b


def _continued_fraction(x: float, a: int, b: int) -> float:
    """Evaluate the continued fraction of I_x(a, b) by the modified method of Lentz."""
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = d
    # It needs about the square root of the larger parameter; ten times that is ample.
    for m in range(1, 100 + 10 * math.isqrt(max(a, b))):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / _nonzero(1 + even * d), _nonzero(1 + even / c)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / _nonzero(1 + odd * d), _nonzero(1 + odd / c)
        value *= d * c
        if abs(d * c - 1) < _CONVERGED:
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
