"""Fisher's exact test, one-sided: did one side fail more often than the other?"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from marg_reports.statistics.rate import Rate


def fisher_greater(head: Rate, base: Rate) -> float:
    """The chance of at least as many hits on the head's side, were both rates the same and the total of hits fixed.

    Exact: counted in whole numbers and divided once. 1.0 where one side has no run.
    Source: R. A. Fisher, "The Design of Experiments" (1935), chapter 2.
    """
    hits, of = head.hits + base.hits, head.of + base.of
    most = min(hits, head.of)
    ways = sum(comb(hits, drawn) * comb(of - hits, head.of - drawn) for drawn in range(head.hits, most + 1))
    return float(Fraction(ways, comb(of, head.of)))
