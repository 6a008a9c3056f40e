"""How far two labellings of the same replies agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from marg_corpora.errors import LabellingError


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Cohen's kappa of two labellings (J. Cohen, 1960), and the ids on which they differ, sorted.

    kappa is 1 where they agree on all, 0 where they agree as often as chance would.
    """

    replies: int
    agreed: int
    kappa: float
    disagreements: tuple[str, ...]


def agreement(first: Mapping[str, str], second: Mapping[str, str]) -> Agreement:
    """Compare two labellings, each a label by id.

    Raises LabellingError where they are not of the same replies, or of none.
    """
    if not first or first.keys() != second.keys():
        odd = sorted(first.keys() ^ second.keys())
        raise LabellingError(f"the two labellings are not of the same replies: {odd[:3]!r} of {len(odd)} differ")
    differing = tuple(sorted(key for key in first if first[key] != second[key]))
    replies, agreed = len(first), len(first) - len(differing)
    ours, theirs = Counter(first.values()), Counter(second.values())
    chance = sum(ours[label] * theirs[label] for label in ours) / replies**2
    # One label alone leaves nothing to chance: agreeing on it is all the agreement there is.
    kappa = 1.0 if chance == 1 else (agreed / replies - chance) / (1 - chance)
    return Agreement(replies=replies, agreed=agreed, kappa=kappa, disagreements=differing)
