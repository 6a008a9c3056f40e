"""The regularized incomplete beta function, in pure Python: the intervals and the tests of rates stand on it."""

from __future__ import annotations

import math

_TINY = 1e-300
"""Stands in for a zero denominator in the continued fraction (Lentz's method)."""

_CONVERGED = 1e-16

_SETTLED = 1e-13
"""A Newton step that is this small beside `x` was the last: the next would be its square."""

_MOST_STEPS = 200
"""More halvings than a float has bits: the search stops earlier, when the middle no longer moves."""


def beta_share(x: float, a: float, b: float) -> float:
    """Give I_x(a, b), the share of a Beta(a, b) distribution below `x`; `a` and `b` are above 0.

    Source: the continued fraction and its switch at the mean, W. H. Press et al., "Numerical Recipes", section 6.4.
    """
    if not 0 < x < 1:
        return float(x >= 1)
    front = x * (1 - x) * beta_density(x, a, b)
    # The fraction converges fast only below the mean; above it the mirrored one does.
    if x < (a + 1) / (a + b + 2):
        return front * _continued_fraction(x, a, b) / a
    return 1 - front * _continued_fraction(1 - x, b, a) / b


def beta_density(x: float, a: float, b: float) -> float:
    """Give the density of Beta(a, b) at `x`, between 0 and 1 and neither of them."""
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(log_scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))


def beta_quantile(chance: float, a: float, b: float) -> float:
    """Find the x at which I_x(a, b) equals `chance`, by Newton's steps, with a halving where one leaves the bracket."""
    if a == 1:
        return -math.expm1(math.log1p(-chance) / b)
    if b == 1:
        return math.exp(math.log(chance) / a)
    low, high, x = 0.0, 1.0, a / (a + b)
    for _ in range(_MOST_STEPS):
        excess = beta_share(x, a, b) - chance
        low, high = (low, x) if excess > 0 else (x, high)
        slope = beta_density(x, a, b)
        after = x - excess / slope if slope else low
        after = after if low < after < high else (low + high) / 2
        if after in (low, high) or abs(after - x) < _SETTLED * x:
            return after
        x = after
    return x


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of I_x(a, b) by the modified method of Lentz."""
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = d
    # It needs about the square root of the larger parameter; ten times that is ample.
    for m in range(1, 100 + 10 * math.isqrt(math.ceil(max(a, b)))):
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
