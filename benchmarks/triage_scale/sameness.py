"""The same bytes twenty times: a replay and its triage, cold each time, with whatever must not matter varied.

Varied are the hash seed, the time zone, the number of processes, and the order in which the scenarios are named.
Compared are the run's record, the kept report, and every file that a triage and a history can write.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.triage_scale.sample import CASES

ZONES = ("UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Chatham", "Europe/Vienna")
FORMATS = ("jsonl", "html", "junit", "ctrf", "summary", "annotations", "code_quality", "parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sameness:
    """How many runs there were, how many files each compared, and which of them differed, by name."""

    runs: int
    files: int
    differing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is varied in a run."""

    number: int

    @property
    def environ(self) -> dict[str, str]:
        """The environment, with a hash seed and a time zone of the run's own."""
        varied = {"PYTHONHASHSEED": str(self.number * 977), "TZ": ZONES[self.number % len(ZONES)], "COLUMNS": "160"}
        return {**os.environ, **varied}

    @property
    def arguments(self) -> list[str]:
        """The scenarios in an order of the run's own, and the number of processes."""
        files = [f"{case.name.replace(' ', '_')}.scenario.yaml" for case in CASES]
        random.Random(self.number).shuffle(files)
        return [*files, "-n", str(1 + self.number % 3)]


def sameness(sample: Path, *, runs: int) -> Sameness:
    """Replay and triage the sample so often, each time from nothing. Raises CalledProcessError where one fails."""
    digests = [_digests(sample, Setting(number=number)) for number in range(runs)]
    names = sorted({name for one in digests for name in one})
    differing = tuple(name for name in names if len({one.get(name) for one in digests}) > 1)
    return Sameness(runs=runs, files=len(names), differing=differing)


def _digests(sample: Path, setting: Setting) -> dict[str, str]:
    out = sample / ".marg"
    shutil.rmtree(out, ignore_errors=True)
    _marg(sample, setting, "replay", *setting.arguments, "--junit", _ready(out / "replay.xml"), code=1)
    files = [part for name in FORMATS for part in (f"--{name.replace('_', '-')}", str(out / f"report.{name}"))]
    said = _marg(sample, setting, "triage", "--base", "trunk", *files, "--allure", str(out / "allure"), code=1)
    (out / "terminal.txt").write_text(said, encoding="utf-8")
    (out / "runs").mkdir()
    shutil.copy(out / "report.jsonl", out / "runs" / "one.jsonl")
    _marg(sample, setting, "history", str(out / "runs"), "--html", str(out / "history.html"), code=0)
    kept = [path for path in sorted(out.rglob("*")) if path.is_file() and "evidence" not in path.parts]
    return {path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in kept}


def _ready(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    return str(path)


def _marg(root: Path, setting: Setting, *arguments: str, code: int) -> str:
    command = [sys.executable, "-c", "from marg_harness.cli import main; main()", *arguments]
    done = subprocess.run(command, cwd=root, env=setting.environ, capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    return done.stdout
