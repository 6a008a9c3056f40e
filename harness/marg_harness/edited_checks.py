"""The note beside a regression whose check was edited in the same change: somebody may have meant it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from marg_harness.evidence.git import git
from marg_reports.report import TriagedRed, TriageReport

NOTE = "the change edits this check's file too; where the red is meant, a commit says so: expect-change: {check}"


def edited_since(repository: Path, base: str) -> frozenset[Path]:
    """The files that differ from a commit's, those that git does not know yet too; whole paths."""
    tracked = git(repository, "diff", "--name-only", "-z", base, "--").split("\0")
    fresh = git(repository, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    return frozenset(repository / name for name in (*tracked, *fresh) if name)


def with_notes(report: TriageReport, edited: Collection[Path], *, root: Path) -> TriageReport:
    """The report with a note at each regression whose scenario, or the fixture that its check stands in, was edited.

    root: the folder that the report's paths begin in.
    """
    return replace(report, reds=tuple(_noted(red, edited, root) for red in report.reds))


def _noted(red: TriagedRed, edited: Collection[Path], root: Path) -> TriagedRed:
    files = {(root / name).resolve() for name in (red.place.path, red.place.file) if name}
    if red.verdict.red_class != "regression" or not files & set(edited):
        return red
    return replace(red, verdict=replace(red.verdict, note=NOTE.format(check=red.place.id)))
