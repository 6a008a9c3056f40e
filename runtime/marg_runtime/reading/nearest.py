"""Names the known words nearest to a mistyped one, for an error message.

The standard library's own finder costs a tenth of what importing this package may cost.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SHOWN = 3


def nearest(word: str, known: Iterable[str]) -> str:
    """Return up to three known names, the nearest first, joined by commas."""
    names = list(known)
    ranked = sorted(names, key=lambda name: (_distance(word, name), names.index(name)))
    return ", ".join(ranked[:_SHOWN])


def _distance(one: str, other: str) -> int:
    """Return how many letters must be put in, taken out or replaced to get from one word to the other."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]
