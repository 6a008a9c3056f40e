"""The triage report: every check of a run, and for each red its verdict with the evidence. What all renderings draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from marg_reports.record import Line, Owner
from marg_reports.triage.verdict import Verdict
from marg_reports.triage.words import CellName, RedClass

CLASSES: Final[tuple[RedClass, ...]] = (
    "regression",
    "unclassified",
    "pre_existing",
    "brittle_check",
    "model_flake",
    "transport",
)
"""The classes in the order in which people want to see them: what may be a regression first."""

Gate = Literal["regressions", "all", "none"]
"""What turns the triage's exit code to 1: a regression or an unclassified red, any red, or nothing."""

NOT_MEASURED = 3


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a check stands. scenario: with its row, `name[row]`. line: in `path`, or in `file`, a fixture's.

    Another runner's test has no turn, and no path in its id: its scenario is its suite, and its file may be unknown.
    """

    path: str
    scenario: str
    turn: str
    check: str
    line: int
    file: str = ""

    @property
    def source(self) -> str:
        """The file in which its line is."""
        return self.file or self.path

    @property
    def id(self) -> str:
        """`path::scenario[row]::turn::check`, the same as long as the scenario keeps its names."""
        return "::".join(filter(None, (self.path, self.scenario, self.turn, self.check)))

    @property
    def suite(self) -> str:
        """`path::scenario[row]`, what a check belongs to."""
        return "::".join(filter(None, (self.path, self.scenario)))

    @property
    def name(self) -> str:
        """`turn::check`, which check it is of its suite."""
        return "::".join(filter(None, (self.turn, self.check)))

    @property
    def where(self) -> str:
        """`file:line`, as far as they are known."""
        return f"{self.source}:{self.line}" if self.source and self.line else self.source or "file unknown"

    @property
    def sort_key(self) -> tuple[str, str, int, str, str]:
        """Reports are in this order, whatever order the run had."""
        return (self.path, self.scenario, self.line, self.turn, self.check)


@dataclass(frozen=True, kw_only=True)
class CheckLine:
    """A check of the run. attempts: passed or not, in order; the last one counts. valid: whether it could be run."""

    place: Place
    attempts: tuple[bool, ...]
    valid: bool = True

    @property
    def passed(self) -> bool:
        """Whether the last attempt passed."""
        return bool(self.attempts) and self.attempts[-1]

    @property
    def flaky(self) -> bool:
        """Whether it passed in the end and had failed before."""
        return self.passed and not all(self.attempts)


@dataclass(frozen=True, kw_only=True)
class Square:
    """A square of a red's evidence matrix: the cell, what it says in a word or two, its commit, what replays it."""

    cell: CellName
    says: str
    commit: str = ""
    command: str = ""


@dataclass(frozen=True, kw_only=True)
class Label:
    """A person's word on a red: class, reason, author, the digests of the cells that it was given for, its last day."""

    red_class: RedClass
    because: str
    author: str
    cells: str
    expires: str


@dataclass(frozen=True, kw_only=True)
class TranscriptTurn:
    """A turn of the talk up to the red."""

    number: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, kw_only=True)
class TriagedRed:
    """A red with its verdict. expected, got: canonical JSON text. wire: the signature of what broke on the wire."""

    place: Place
    kind: str
    owner: Owner
    expected: str
    got: str
    differences: tuple[str, ...]
    transcript: tuple[TranscriptTurn, ...]
    verdict: Verdict
    squares: tuple[Square, ...] = ()
    wire: str = ""
    label: Label | None = None

    @property
    def red_class(self) -> RedClass:
        """The class, a person's label before the classifier's."""
        return self.label.red_class if self.label else self.verdict.red_class

    @property
    def name(self) -> str:
        """What it is called: a person's label, else the verdict with its sub-class."""
        return f"{self.label.red_class} (labelled)" if self.label else self.verdict.name


@dataclass(frozen=True, kw_only=True)
class TriageReport:
    """A triaged run. head, base: commits, empty where there is none. Build it with `triage_report`, which sorts."""

    version: str
    head: str
    base: str
    checks: tuple[CheckLine, ...]
    reds: tuple[TriagedRed, ...]

    def counts(self) -> Mapping[RedClass, int]:
        """How many reds each class has, all classes in their order."""
        counted = Counter(red.red_class for red in self.reds)
        return {red_class: counted[red_class] for red_class in CLASSES}

    @property
    def invalid(self) -> int:
        """Checks that could not be run: they count in no rate, and their number is always shown."""
        return sum(not check.valid for check in self.checks)

    @property
    def scenarios(self) -> int:
        """How many scenarios, rows counted, the run had."""
        return len({(check.place.path, check.place.scenario) for check in self.checks})

    def exit_code(self, *, gate: Gate = "regressions") -> int:
        """0 fine, 1 reds that the gate stops, 3 where transport is all there is: then nothing was measured."""
        counts = self.counts()
        if gate == "none" or not self.reds:
            return 0
        if gate == "all":
            return 1
        if counts["regression"] or counts["unclassified"]:
            return 1
        return NOT_MEASURED if counts["transport"] == len(self.reds) else 0


def triage_report(
    *, version: str, head: str, base: str, checks: tuple[CheckLine, ...], reds: tuple[TriagedRed, ...]
) -> TriageReport:
    """The report in its one order, whatever order checks and reds come in."""
    return TriageReport(
        version=version,
        head=head,
        base=base,
        checks=tuple(sorted(checks, key=lambda check: check.place.sort_key)),
        reds=tuple(sorted(reds, key=lambda red: (CLASSES.index(red.red_class), red.place.sort_key))),
    )
