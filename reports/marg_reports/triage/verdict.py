"""The verdict on a red: its class, how sure it is, by which rule, and what else was looked at."""

from __future__ import annotations

from dataclasses import dataclass

from marg_reports.triage.words import CellName, Confidence, RedClass, Unclassified


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A rule that was tried: what it would make of the red, which cells it misses, what contradicts it."""

    rule: str
    would_be: str
    met: bool
    missing: tuple[CellName, ...]
    contradicted_by: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The verdict. It stands beside the red's failure and never rewrites it.

    name: `class.sub`, or `unclassified.reason`. statistics: what a statistical class rests on, in words. command: for
    an unclassified red, the one command that would decide it; `{run}` and `{red}` stand for the run and the red.
    nearest: the class that one other finding would have given. note: what a reader of the class should know besides.
    """

    red_class: RedClass
    sub: str
    confidence: Confidence
    rule: str
    statistics: str = ""
    reason: Unclassified | None = None
    command: str = ""
    also: tuple[str, ...] = ()
    nearest: str = ""
    note: str = ""
    trace: tuple[Tried, ...] = ()

    @property
    def name(self) -> str:
        """The class with its sub-class."""
        return f"{self.red_class}.{self.sub}" if self.sub else self.red_class
