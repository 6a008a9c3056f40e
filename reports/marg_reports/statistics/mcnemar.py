"""McNemar's exact test over pairs: of the scenarios that changed, did more change one way than the other?"""

from __future__ import annotations

from fractions import Fraction
from math import comb


def mcnemar(only_head: int, only_base: int) -> float:
    """The two-sided chance of a split at least as uneven, were both ways as likely; pairs that agree say nothing.

    only_head, only_base: scenarios that were red on that side alone. 1.0 where there are none.
    Source: Q. McNemar, Psychometrika 12 (1947), in its exact, binomial form. Raises ValueError for a negative count.
    """
    if min(only_head, only_base) < 0:
        raise ValueError(f"counts are at least 0; got {only_head!r} and {only_base!r}")
    changed = only_head + only_base
    tail = sum(comb(changed, count) for count in range(min(only_head, only_base) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**changed)))
