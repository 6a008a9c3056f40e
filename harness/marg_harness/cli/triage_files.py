"""The files that a triage can write, each a projection of the one report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click

from marg_harness.whole_files import check_writable, write_whole
from marg_reports.history import RunOfHistory, write_parquet
from marg_reports.page import html_page
from marg_reports.render import (
    allure_results,
    code_quality_json,
    ctrf_json,
    github_annotations,
    junit_xml,
    summary_markdown,
)
from marg_reports.report import TriageReport, report_lines
from marg_runtime.errors import UsageError

FILE = click.Path(dir_okay=False, path_type=Path)


def _lines(report: TriageReport) -> str:
    return "".join(f"{line}\n" for line in report_lines(report))


TEXTS: Final[Mapping[str, Callable[[TriageReport], str]]] = {
    "jsonl": _lines,
    "html": html_page,
    "junit": junit_xml,
    "ctrf": ctrf_json,
    "summary": summary_markdown,
    "annotations": github_annotations,
    "code_quality": code_quality_json,
}
HELP: Final[Mapping[str, str]] = {
    "jsonl": "Write the report itself, in JSON Lines.",
    "html": "Write one self-contained page.",
    "junit": "Write JUnit XML, a testcase a check, the class in each failure.",
    "ctrf": "Write the Common Test Report Format.",
    "summary": "Write Markdown for a CI step's summary.",
    "annotations": "Write GitHub's annotation commands; print them to a step's output.",
    "code_quality": "Write GitLab's code quality report.",
    "parquet": "Write the checks as a Parquet table.",
    "allure": "Write Allure results into this folder.",
}
FORMATS: Final[tuple[str, ...]] = tuple(HELP)


@dataclass(frozen=True, kw_only=True)
class TriageFiles:
    """Where each format goes; None where it was not asked for."""

    jsonl: Path | None
    html: Path | None
    junit: Path | None
    ctrf: Path | None
    summary: Path | None
    annotations: Path | None
    code_quality: Path | None
    parquet: Path | None
    allure: Path | None

    def check(self) -> None:
        """Raise UsageError for the first file that cannot be written, before any work is done for it."""
        check_writable(*(getattr(self, name) for name in FORMATS if name != "allure"))
        if self.allure is not None and self.allure.exists() and not self.allure.is_dir():
            raise UsageError(f"{str(self.allure)!r} is no folder; name one for Allure's results")
        if self.parquet is not None and find_spec("pyarrow") is None:
            raise UsageError("--parquet needs the extra data: pip install 'marg[data]'")

    def write(self, report: TriageReport) -> None:
        """Write what was asked for of a scrubbed report. Raises UsageError where a file cannot be written."""
        asked = {getattr(self, name): render for name, render in TEXTS.items() if getattr(self, name) is not None}
        write_whole({path: render(report) for path, render in asked.items()})
        if self.allure is not None:
            self.allure.mkdir(parents=True, exist_ok=True)
            for file in allure_results(report):
                write_whole({self.allure / file.name: file.text})
        if self.parquet is not None:
            write_parquet([RunOfHistory(name=self.parquet.stem, report=report)], self.parquet)


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each format to a command."""
    for name in reversed(FORMATS):
        kind = click.Path(file_okay=False, path_type=Path) if name == "allure" else FILE
        command = click.option(f"--{name.replace('_', '-')}", name, type=kind, default=None, help=HELP[name])(command)
    return command
