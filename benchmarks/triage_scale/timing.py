"""How long a real triage takes a red: the runtime and the shipped scenarios in a repository, a fault on its head.

The first triage finds nothing in the cache and lays out workspaces, starts processes and replays; the second takes
every cell from the cache. Both are the whole command, its start-up included, for few reds as for many.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from marg_harness.evidence.git import git
from marg_reports.report import read_report

PACKAGES = ("marg_runtime", "marg_scenarios")
FAULTS = {
    "many reds": ("marg_runtime/gate.py", '    return _allowed("guard", ', '    return _refused("guard", '),
    "few reds": ("marg_scenarios/support_intake/domain.py", "Priority set to {v}.", "Urgency set to {v}."),
}
"""Each: the file, a text that stands in it once, and what stands there on the head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageTime:
    """A triage of one fault. wall, cpu: seconds of the whole command and all its processes, cold and from the cache."""

    fault: str
    checks: int
    reds: int
    classes: dict[str, int]
    cold_wall: float
    cold_cpu: float
    cached_wall: float
    cached_cpu: float

    @property
    def cold_a_red(self) -> float:
        """Seconds of wall time."""
        return self.cold_wall / max(1, self.reds)

    @property
    def cached_a_red(self) -> float:
        """Seconds of wall time."""
        return self.cached_wall / max(1, self.reds)


def triage_time(fault: str, root: Path) -> TriageTime:
    """Plant a fault of FAULTS in a new repository below `root` and triage it twice."""
    repository = root / fault.replace(" ", "_")
    _make(repository, fault)
    _marg(repository, "replay", *PACKAGES[1:], "--quiet", codes=(1,))
    cold_wall, cold_cpu = _marg(repository, "triage", "--base", "trunk", "--quiet", "--gate", "none", codes=(0,))
    wall, cpu = _marg(repository, "triage", "--base", "trunk", "--quiet", "--gate", "none", codes=(0,))
    report = read_report(repository / ".marg" / "triage.jsonl")
    return TriageTime(
        fault=fault,
        checks=len(report.checks),
        reds=len(report.reds),
        classes={name: number for name, number in report.counts().items() if number},
        cold_wall=cold_wall,
        cold_cpu=cold_cpu,
        cached_wall=wall,
        cached_cpu=cpu,
    )


def _make(repository: Path, fault: str) -> None:
    name, old, new = FAULTS[fault]
    git(repository.parent, "init", "--quiet", "--initial-branch=trunk", str(repository))
    for package in PACKAGES:
        source = Path(str(import_module(package).__file__)).parent
        shutil.copytree(source, repository / package, ignore=shutil.ignore_patterns("__pycache__"))
    (repository / ".gitignore").write_text(".marg/\n__pycache__/\n", encoding="utf-8")
    _commit(repository, "base")
    git(repository, "checkout", "--quiet", "-b", "change")
    text = (repository / name).read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{old!r} stands {text.count(old)} times in {name!r}, not once; mend FAULTS")
    (repository / name).write_text(text.replace(old, new), encoding="utf-8")
    _commit(repository, "head")


def _commit(repository: Path, message: str) -> None:
    git(repository, "add", "--all")
    git(repository, "-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "--quiet", "-m", message)


def _marg(repository: Path, *arguments: str, codes: tuple[int, ...]) -> tuple[float, float]:
    """Run a command with the packages of the repository; its seconds of wall time, and of all its processes' work."""
    command = [sys.executable, "-c", "from marg_harness.cli import main; main()", *arguments]
    environ = {**os.environ, "PYTHONPATH": str(repository)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=repository, env=environ, capture_output=True, text=True, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - wall
    if done.returncode not in codes:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
