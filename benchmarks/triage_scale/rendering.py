"""One rendering of a report in a process of its own: `python -m benchmarks.triage_scale.rendering NAME REPORT FOLDER`.

The process reads the report, draws it once, writes it, and prints what that took as one JSON object. Peak memory is the
process's own, as the system counted it, after reading and after drawing.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import iterparse

from rich.console import Console

from marg_harness.cli.triage_files import TEXTS
from marg_reports.history import RunOfHistory, history_of, history_page, write_parquet
from marg_reports.render import allure_results
from marg_reports.render.terminal import print_report
from marg_reports.report import TriageReport, read_report

NAMES: Final = (*TEXTS, "allure", "parquet", "terminal", "history")
KIBI = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What a rendering took. seconds: of wall time, to draw and write; cpu: of this process. read_bytes, peak_bytes:
    the most memory that the process had held when the report was read, and in the end. objects: XML elements."""

    name: str
    bytes: int
    files: int
    seconds: float
    cpu_seconds: float
    read_bytes: int
    peak_bytes: int
    objects: int | None


def rendered(name: str, report: Path, folder: Path) -> Rendered:
    """Draw a report in a process of its own. Raises CalledProcessError where it fails."""
    command = [sys.executable, "-m", "benchmarks.triage_scale.rendering", name, str(report), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Rendered(**json.loads(done.stdout))


def draw(name: str, report: TriageReport, folder: Path) -> list[Path]:
    """Draw a report into a folder; the files, in order."""
    if name in TEXTS:
        return [_written(folder / f"report.{name}", TEXTS[name](report))]
    return _DRAWN[name](report, folder)


def _allure(report: TriageReport, folder: Path) -> list[Path]:
    inside = folder / "allure"
    inside.mkdir()
    return [_written(inside / file.name, file.text) for file in allure_results(report)]


def _parquet(report: TriageReport, folder: Path) -> list[Path]:
    path = folder / "report.parquet"
    write_parquet([RunOfHistory(name="run", report=report)], path)
    return [path]


def _terminal(report: TriageReport, folder: Path) -> list[Path]:
    console = Console(file=StringIO(), width=200, force_terminal=True, markup=False, highlight=False, emoji=False)
    print_report(report, console)
    assert isinstance(console.file, StringIO)
    return [_written(folder / "report.terminal", console.file.getvalue())]


def _history(report: TriageReport, folder: Path) -> list[Path]:
    runs = [RunOfHistory(name=f"run-{number}", report=report) for number in (1, 2, 3)]
    return [_written(folder / "report.history.html", history_page(history_of(runs)))]


_DRAWN: Final[dict[str, Callable[[TriageReport, Path], list[Path]]]] = {
    "allure": _allure,
    "parquet": _parquet,
    "terminal": _terminal,
    "history": _history,
}


def _written(path: Path, text: str) -> Path:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return path


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIBI


def _measure(name: str, source: Path, folder: Path) -> Rendered:
    report = read_report(source)
    read, wall, cpu = _peak(), time.perf_counter(), time.process_time()
    files = draw(name, report, folder)
    wall, cpu, peak = time.perf_counter() - wall, time.process_time() - cpu, _peak()
    return Rendered(
        name=name,
        bytes=sum(file.stat().st_size for file in files),
        files=len(files),
        seconds=wall,
        cpu_seconds=cpu,
        read_bytes=read,
        peak_bytes=peak,
        objects=sum(1 for _ in iterparse(files[0])) if name == "junit" else None,
    )


if __name__ == "__main__":
    print(json.dumps(asdict(_measure(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))))
