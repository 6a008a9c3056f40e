"""A person's word on a red. It stands for the evidence that it was given for, until its last day, and no longer."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import get_args

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as validated

from marg_reports.errors import RecordError
from marg_reports.json_lines import json_line, json_object, read_lines
from marg_reports.report.triaged import Label, TriagedRed, TriageReport, triage_report
from marg_reports.triage.words import RedClass
from marg_runtime.canonical import digest

MAKE = "marg reds label RED CLASS --because REASON"

LABEL_DAYS = 90
"""How long a label stands unless it says otherwise."""


@validated(frozen=True, kw_only=True)
class GivenLabel:
    """A line of the labels file: the red's id, and what was said of it."""

    red: str
    red_class: RedClass
    because: str
    author: str
    cells: str
    expires: date

    def label(self) -> Label:
        """The label as a report shows it."""
        return Label(
            red_class=self.red_class,
            because=self.because,
            author=self.author,
            cells=self.cells,
            expires=self.expires.isoformat(),
        )


def cells_digest(red: TriagedRed) -> str:
    """The digest of a red's evidence: a label is void once any cell says something else or is of another commit."""
    return digest([[square.cell, square.says, square.commit] for square in red.squares])


def give_label(red: TriagedRed, *, red_class: str, because: str, author: str, expires: date) -> GivenLabel:
    """A label for a red as it stands. Raises RecordError for a class that is none, or without a reason or an author."""
    if red_class not in get_args(RedClass) or red_class == "unclassified":
        known = [name for name in get_args(RedClass) if name != "unclassified"]
        near = get_close_matches(red_class, known, n=1)
        hint = f"did you mean {near[0]!r}? There are" if near else "there are"
        raise RecordError(f"there is no class {red_class!r} to label a red with; {hint} {', '.join(known)}")
    if not because.strip() or not author.strip():
        raise RecordError(f"a label needs a reason and an author, got {because!r} and {author!r}")
    return GivenLabel(
        red=red.place.id,
        red_class=TypeAdapter(RedClass).validate_python(red_class),
        because=because,
        author=author,
        cells=cells_digest(red),
        expires=expires,
    )


def with_labels(report: TriageReport, labels: Iterable[GivenLabel], *, today: date) -> TriageReport:
    """The report with the labels that still stand; the last one given for a red counts."""
    given = {label.red: label for label in labels if label.expires >= today}

    def labelled(red: TriagedRed) -> TriagedRed:
        label = given.get(red.place.id)
        return replace(red, label=label.label()) if label and label.cells == cells_digest(red) else red

    reds = tuple(labelled(red) for red in report.reds)
    return triage_report(version=report.version, head=report.head, base=report.base, checks=report.checks, reds=reds)


def read_labels(path: Path) -> tuple[GivenLabel, ...]:
    """The labels of a file, none where there is no file; raises RecordError with file:line for a damaged one."""
    if not path.exists():
        return ()
    labels = []
    adapter = TypeAdapter(GivenLabel)
    for number, line in enumerate(read_lines(path, what="file of labels", make=MAKE), start=1):
        where = f"{path}:{number}"
        given = json_object(line, where=where)
        try:
            labels.append(adapter.validate_python(given))
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(str(part) for part in problem["loc"])
            raise RecordError(f"{where}: no label: {place!r}: {problem['msg']}; remove the line") from error
    return tuple(labels)


def add_label(path: Path, label: GivenLabel) -> None:
    """Append a label to its file, all or nothing. Raises RecordError where that fails."""
    line = json_line({**asdict(label), "expires": label.expires.isoformat()}) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, line.encode())  # one write, so that two people's lines never mix
        finally:
            os.close(descriptor)
    except OSError as error:
        raise RecordError(f"the label cannot be written to {str(path)!r}: {error.strerror or error}") from error
