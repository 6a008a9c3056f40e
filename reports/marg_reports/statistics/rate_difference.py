"""How sure it is that two rates differ by less than a margin: the Jeffreys posterior of their difference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from marg_reports.statistics.rate import Rate
from marg_runtime.beta import beta_share

__all__ = ["Rate", "difference_below"]

_PRIOR = 0.5  # Jeffreys: Beta(1/2, 1/2)
_STEP = 2**-4
_WIDE = 64
"""Runs up to which a posterior is so wide that the step serves; above, it narrows with the square root of the runs."""

_NOTHING = 1e-14
"""A point of less mass is left out: all of them together change nothing that is shown or decided."""

_REACH = 4.0  # beyond it the distance from an end is below 1e-37: the poles there have given all their mass


def difference_below(head: Rate, base: Rate, *, margin: float) -> float:
    """P(head - base < margin), where each rate has the posterior Beta(hits + 1/2, misses + 1/2).

    Integrated over the base's rate by double-exponential quadrature, which bears the poles of the densities at 0 and 1.
    Source: H. Jeffreys, "Theory of Probability" (1961); H. Takahasi and M. Mori, Publ. RIMS 9 (1974).
    Raises ValueError where `margin` is not between 0 and 1, both excluded.
    """
    if not 0 < margin < 1:
        raise ValueError(f"margin must be between 0 and 1; got {margin!r}")
    a, b = head.hits + _PRIOR, head.misses + _PRIOR
    c, d = base.hits + _PRIOR, base.misses + _PRIOR
    top = 1 - margin
    log_front = math.lgamma(c + d) - math.lgamma(c) - math.lgamma(d)

    def weighed(point: _Point) -> float:
        low, high = point.from_low * top, point.from_high * top
        density = math.exp(log_front + (c - 1) * math.log(low) + (d - 1) * math.log(margin + high))
        if point.weight * density < _NOTHING:
            return 0.0
        # Near the top the head's rate is near 1, where only the distance to 1 keeps its digits.
        above = beta_share(high, b, a)
        return point.weight * density * (1 - above)

    # From `top` on the head's rate is below base + margin for certain.
    certain = beta_share(margin, d, c)
    step = _STEP * math.sqrt(_WIDE / max(_WIDE, head.of, base.of))
    return min(1.0, certain + top * math.fsum(weighed(point) for point in _points(step)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    """A point of the quadrature over 0 to 1 by its distance from either end, and its weight."""

    from_low: float
    from_high: float
    weight: float


@lru_cache(maxsize=64)
def _points(step: float) -> tuple[_Point, ...]:
    return tuple(_point(number * step, step) for number in range(-round(_REACH / step), round(_REACH / step) + 1))


def _point(t: float, step: float) -> _Point:
    bent = math.pi / 2 * math.sinh(t)
    # 1 / (1 + e^(2x)) is the distance from an end without cancellation.
    low, high = 1 / (1 + math.exp(-2 * bent)), 1 / (1 + math.exp(2 * bent))
    return _Point(from_low=low, from_high=high, weight=step * math.pi * math.cosh(t) * low * high)
