"""A rule: what must be found, and the class it proves. A rule is a conjunction: more evidence never undoes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from marg_reports.triage.findings import About, Findings
from marg_reports.triage.words import CellName, RedClass


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule. name: of the specification's table. needs: for each respect, the words of which one must be found.

    Two rules of different classes always need different words in one same respect, so no evidence satisfies both and
    taking cells away can only leave a red unclassified; a test holds it for every pair.
    """

    name: str
    red_class: RedClass
    sub: str
    needs: Mapping[About, frozenset[str]]

    def met(self, found: Findings) -> bool:
        """Whether everything that it needs was found."""
        return all(found.get(about) in words for about, words in self.needs.items())

    def missing(self, found: Findings) -> tuple[CellName, ...]:
        """The cells about which nothing is known that it needs, in its order, each once."""
        cells = (about.cell for about in self.needs if about not in found)
        return tuple(dict.fromkeys(cell for cell in cells if cell != "red"))

    def contradictions(self, found: Findings) -> tuple[About, ...]:
        """The respects in which something else was found."""
        return tuple(about for about, words in self.needs.items() if about in found and found[about] not in words)

    def excludes(self, other: Rule) -> bool:
        """Whether no findings can satisfy both."""
        shared = self.needs.keys() & other.needs.keys()
        return any(not self.needs[about] & other.needs[about] for about in shared)
