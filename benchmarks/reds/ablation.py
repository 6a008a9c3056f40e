"""Evidence taken away: over all subsets of a red's cells the class stays, or nothing is decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from marg_reports.triage import CellName, Evidence, RedClass, classify
from marg_reports.triage.findings import findings


@dataclass(frozen=True, kw_only=True)
class Ablated:
    """How many subsets of cells were classified, and which of them changed the class to another one, in words."""

    subsets: int
    changes: tuple[str, ...]


_seen: dict[tuple[object, ...], Ablated] = {}


def ablated(evidence: Evidence) -> Ablated:
    """Classify a red with every subset of its cells. Evidence that says the same is looked at once."""
    key = (frozenset(findings(evidence).items()), frozenset(cell.name for cell in evidence.cells))
    if key not in _seen:
        whole = classify(evidence).red_class
        taken = list(_subsets(evidence))
        _seen[key] = Ablated(subsets=len(taken), changes=tuple(_changes(evidence, whole, taken)))
    return _seen[key]


def _subsets(evidence: Evidence) -> Iterator[frozenset[CellName]]:
    names = [cell.name for cell in evidence.cells]
    for size in range(len(names) + 1):
        yield from map(frozenset, combinations(names, size))


def _changes(evidence: Evidence, whole: RedClass, taken: list[frozenset[CellName]]) -> Iterator[str]:
    for names in taken:
        left = classify(evidence.without(names)).red_class
        if left not in (whole, "unclassified"):
            yield f"{evidence.red.id}: {whole} becomes {left} without {', '.join(sorted(names))}"
