"""One run for a cell: a replay in a process of its own, in a workspace, kept by what went into it."""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from marg_harness.evidence.workspace import Workspace
from marg_reports import RecordError, RunRecord, ScenarioRecord, write_record
from marg_reports.record_reading import read_record
from marg_runtime.canonical import Json, digest

_REPLAY = "from marg_harness.cli import main; main()"
_FLAGS = {"seed": "--seed", "over": "--over", "faults": "--faults", "tool_faults": "--tool-faults", "read": "--read"}
RUN_SECONDS = 1800
USAGE = 2


@dataclass(frozen=True, kw_only=True)
class Variation:
    """What must not matter: the hash seed, the time zone, the number of processes."""

    hash_seed: int = 0
    time_zone: str = "UTC"
    jobs: int = 1


VARIATIONS = (
    Variation(),
    Variation(hash_seed=1, time_zone="Asia/Kolkata", jobs=2),
    Variation(hash_seed=2, time_zone="America/St_Johns"),
)
"""Three runs: an 80 % flake looks steady in half of such triples, so they prove wavering and never its absence."""


@dataclass(frozen=True, kw_only=True)
class CellRunSpec:
    """A run to make. files: from the repository's root. isolated: each scenario in a process of its own.

    settings: as in a run's record: `seed`, `slips`, `over`, `faults`, `tool_faults`.
    """

    workspace: Workspace
    files: tuple[str, ...]
    isolated: bool = True
    variation: Variation = field(default_factory=Variation)
    settings: Mapping[str, Json] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The content address: the same key means the same run."""
        varied = self.variation
        return digest(
            [
                self.workspace.key,
                list(self.files),
                self.isolated,
                [varied.hash_seed, varied.time_zone, varied.jobs],
                dict(self.settings),
                platform.python_version(),
            ]
        )[:24]

    @property
    def command(self) -> str:
        """What a person types in the workspace to see the same run."""
        return " ".join(["marg", "replay", *self.arguments()])

    def arguments(self) -> list[str]:
        """The arguments of the replay."""
        named = [(flag, str(self.settings[name])) for name, flag in _FLAGS.items() if name in self.settings]
        given = [part for flag_and_value in named for part in flag_and_value]
        if self.settings.get("slips") is False:
            given.append("--no-slips")
        return [*self.files, *given, *(["--isolated"] if self.isolated else [])]


@dataclass(frozen=True, kw_only=True)
class CellRunResult:
    """What a run gave: its record, or why there is none."""

    record: RunRecord | None
    reason: str = ""


def run_cell(spec: CellRunSpec, *, cache: Path) -> CellRunResult:
    """Make the run, or take it from the cache. Files that the workspace lacks are left out; they are absent there."""
    kept = cache / f"{spec.key}.jsonl"
    if kept.is_file():
        kept_run = _kept(kept)
        if kept_run is not None:
            return CellRunResult(record=kept_run)
    there = tuple(name for name in spec.files if (spec.workspace.root / name).is_file())
    result = _replayed(replace(spec, files=there)) if there else _empty()
    if result.record is None and len(there) > 1:
        # One file that cannot be used on this side must not take the others with it.
        result = _one_by_one(replace(spec, files=there))
    if result.record is not None:
        write_record(result.record, kept)
    return result


def _kept(file: Path) -> RunRecord | None:
    """A kept run; None for one that was damaged, which is made again."""
    try:
        return read_record(file)
    except RecordError:
        return None


def _empty() -> CellRunResult:
    return CellRunResult(record=RunRecord(version="", scenarios=()))


def _one_by_one(spec: CellRunSpec) -> CellRunResult:
    results = [_replayed(replace(spec, files=(name,))) for name in spec.files]
    records = [result.record for result in results if result.record is not None]
    if not records:
        return results[0]
    scenarios: list[ScenarioRecord] = [scenario for record in records for scenario in record.scenarios]
    return CellRunResult(record=replace(records[0], scenarios=tuple(scenarios)))


def _replayed(spec: CellRunSpec) -> CellRunResult:
    with tempfile.TemporaryDirectory(prefix="marg-cell-") as folder:
        output = Path(folder) / "run.jsonl"
        environ = spec.workspace.environment() | {
            "PYTHONHASHSEED": str(spec.variation.hash_seed),
            "TZ": spec.variation.time_zone,
        }
        jobs = ["-n", str(spec.variation.jobs)]
        arguments = [*spec.arguments(), *jobs, "--quiet", "--json", "--output", str(output)]
        try:
            done = subprocess.run(
                [sys.executable, "-c", _REPLAY, "replay", *arguments],
                cwd=spec.workspace.root,
                env=environ,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=RUN_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return CellRunResult(record=None, reason=f"the replay took longer than {RUN_SECONDS} s")
        return _read(output, done.returncode, done.stderr)


def _read(output: Path, code: int, stderr: str) -> CellRunResult:
    if code >= USAGE or not output.is_file():
        last = stderr.strip().splitlines()[-1:] or [f"exit code {code}"]
        return CellRunResult(record=None, reason=last[0])
    try:
        return CellRunResult(record=read_record(output))
    except RecordError as error:
        return CellRunResult(record=None, reason=str(error))


def settings_without(settings: Mapping[str, Json], *names: str) -> Mapping[str, Json]:
    """The settings without some of them."""
    return {name: value for name, value in settings.items() if name not in names}
