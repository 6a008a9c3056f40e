"""Confidence intervals for a share of a count, in pure Python.

They live on the bottom floor because corpora and reports both need them, and packages on one floor may not import one
another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from marg_runtime.beta import beta_quantile

CONFIDENCE = 0.95
"""The two-sided confidence that every table of Marg uses."""


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
    low = 0.0 if hits == 0 else beta_quantile(tail, hits, of - hits + 1)
    high = 1.0 if hits == of else beta_quantile(1 - tail, hits + 1, of - hits)
    return Interval(low=low, high=high)


def _check(hits: int, of: int, confidence: float) -> None:
    if not 0 <= hits <= of:
        raise ValueError(f"hits must be between 0 and of; got hits={hits!r}, of={of!r}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1; got {confidence!r}")
