"""One run for a cell: a replay in a process of its own, in a workspace, kept by what went into it."""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from marg_harness.evidence.installed import installed
from marg_harness.evidence.warm import WarmRun, warm_run
from marg_harness.evidence.workspace import Workspace
from marg_harness.settings_flags import flags_of
from marg_reports import RecordError, RunRecord, ScenarioRecord, scrubbed_run, write_record
from marg_reports.record_file import file_digest
from marg_reports.record_reading import read_record
from marg_runtime.canonical import Json, digest
from marg_runtime.scrub import own_secrets

_REPLAY = "from marg_harness.cli import main; main()"
RUN_SECONDS = 1800
USAGE = 2


@dataclass(frozen=True, kw_only=True)
class Variation:
    """What must not matter: the hash seed, the time zone, the number of processes. again: how often the same has been
    run before, for what comes and goes by itself."""

    hash_seed: int = 0
    time_zone: str = "UTC"
    jobs: int = 1
    again: int = 0


VARIATIONS = (
    Variation(),
    Variation(hash_seed=1, time_zone="Asia/Kolkata", jobs=2),
    Variation(hash_seed=2, time_zone="America/St_Johns"),
)
"""Three runs: an 80 % flake looks steady in half of such triples, so they prove wavering and never its absence."""


def variations(number: int) -> tuple[Variation, ...]:
    """So many of them: the three, then each of them again in turn."""
    each = len(VARIATIONS)
    return tuple(replace(VARIATIONS[place % each], again=place // each) for place in range(number))


@dataclass(frozen=True, kw_only=True)
class CellRunSpec:
    """A run to make. files: from the repository's root. isolated: each scenario in a process of its own.

    settings: as in a run's record. replies: a run's record to answer the model's part from, where it has replies.
    """

    workspace: Workspace
    files: tuple[str, ...]
    isolated: bool = True
    variation: Variation = field(default_factory=Variation)
    settings: Mapping[str, Json] = field(default_factory=dict)
    replies: Path | None = None

    @property
    def key(self) -> str:
        """The content address: the same key means the same run."""
        varied = self.variation
        return digest(
            [
                self.workspace.key,
                list(self.files),
                self.isolated,
                [varied.hash_seed, varied.time_zone, varied.jobs, *([varied.again] if varied.again else [])],
                dict(self.settings),
                platform.python_version(),
                installed(self.workspace.repository),
                *([] if self.replies is None else [file_digest(self.replies)]),
            ]
        )[:24]

    @property
    def command(self) -> str:
        """What a person types in the workspace to see the same run."""
        home = f"{self.workspace.repository}/"
        return " ".join(["marg", "replay", *(part.removeprefix(home) for part in self.arguments())])

    def arguments(self) -> list[str]:
        """The arguments of the replay."""
        given = flags_of(self.settings)
        if self.replies is not None:
            given += ["--replies", str(self.replies), "--partial"]
        return [*self.files, *given, *(["--isolated"] if self.isolated else [])]


@dataclass(frozen=True, kw_only=True)
class CellRunResult:
    """What a run gave: its record, or why there is none. code: of its exit, where it was made here."""

    record: RunRecord | None
    reason: str = ""
    code: int = 0


_broken: dict[str, CellRunResult] = {}
"""Workspaces in which not even the command starts, by key: what is asked of them has the same end every time."""


def run_cell(spec: CellRunSpec, *, cache: Path) -> CellRunResult:
    """Make the run, or take it from the cache. Files that the workspace lacks are left out; they are absent there.

    Where each scenario has a process of its own, a file's run does not depend on which others are asked for, so each
    file is kept by itself, and only those are run that nobody has run before.
    """
    there = tuple(name for name in spec.files if (spec.workspace.root / name).is_file())
    if not there:
        return _empty()
    asked = [replace(spec, files=(name,)) for name in there] if spec.isolated else [replace(spec, files=there)]
    kept = {one.key: _kept(cache / f"{one.key}.jsonl") for one in asked}
    missing = [one for one in asked if kept[one.key] is None]
    reason = ""
    if missing:
        made = _made(replace(spec, files=tuple(name for one in missing for name in one.files)))
        reason = made.reason
        for one in missing:
            kept[one.key] = _part(made.record, one)
            if (record := kept[one.key]) is not None:
                write_record(record, cache / f"{one.key}.jsonl")
    records = [found for found in kept.values() if found is not None]
    return CellRunResult(record=_joined(records) if records else None, reason=reason)


def _made(spec: CellRunSpec) -> CellRunResult:
    result = _replayed(spec)
    if result.record is None and len(spec.files) > 1 and result.code == USAGE:
        # One file that cannot be used on this side must not take the others with it.
        return _one_by_one(spec)
    return result


def _part(record: RunRecord | None, spec: CellRunSpec) -> RunRecord | None:
    """What of a run is that of some files; None where there is nothing, for such a file could not be used."""
    scenarios = tuple(one for one in record.scenarios if one.path in spec.files) if record else ()
    return replace(record, scenarios=scenarios) if record and scenarios else None


def _joined(records: Sequence[RunRecord]) -> RunRecord:
    scenarios: list[ScenarioRecord] = [scenario for record in records for scenario in record.scenarios]
    return replace(records[0], scenarios=tuple(sorted(scenarios, key=lambda one: one.path)))


def _kept(file: Path) -> RunRecord | None:
    """A kept run; None where there is none, or a damaged one, which is made again."""
    if not file.is_file():
        return None
    try:
        return read_record(file)
    except RecordError:
        return None


def _empty() -> CellRunResult:
    return CellRunResult(record=RunRecord(version="", scenarios=()))


def _one_by_one(spec: CellRunSpec) -> CellRunResult:
    results = [_replayed(replace(spec, files=(name,))) for name in spec.files]
    records = [result.record for result in results if result.record is not None]
    reason = next((result.reason for result in results if result.record is None), "")
    return CellRunResult(record=_joined(records) if records else None, reason=reason)


def _replayed(spec: CellRunSpec) -> CellRunResult:
    if spec.workspace.key in _broken:
        return _broken[spec.workspace.key]
    with tempfile.TemporaryDirectory(prefix="marg-cell-") as folder:
        output = Path(folder) / "run.jsonl"
        environ = spec.workspace.environment() | {
            "PYTHONHASHSEED": str(spec.variation.hash_seed),
            "TZ": spec.variation.time_zone,
        }
        jobs = ["-n", str(spec.variation.jobs)]
        arguments = ["replay", *spec.arguments(), *jobs, "--quiet", "--json", "--output", str(output)]
        root, said = spec.workspace.root, Path(folder) / "said.txt"
        try:
            # What is laid out here never changes; the working tree may, within the second that a time of change counts.
            pycache = root.parent / "pycache" if root != spec.workspace.repository else None
            done = warm_run(arguments, folder=root, environ=environ, said=said, seconds=RUN_SECONDS, pycache=pycache)
            done = done or _cold_run(arguments, folder=root, environ=environ)
        except (subprocess.TimeoutExpired, TimeoutError):
            return CellRunResult(record=None, reason=f"the replay took longer than {RUN_SECONDS} s")
        result = _read(output, done.code, done.said)
    if result.record is None and result.code not in (0, USAGE):
        _broken[spec.workspace.key] = result
    return result


def _cold_run(arguments: Sequence[str], *, folder: Path, environ: Mapping[str, str]) -> WarmRun:
    done = subprocess.run(
        [sys.executable, "-c", _REPLAY, *arguments],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=RUN_SECONDS,
        check=False,
    )
    return WarmRun(code=done.returncode, said=done.stderr)


def _read(output: Path, code: int, said: str) -> CellRunResult:
    if code >= USAGE or code < 0 or not output.is_file():
        last = said.strip().splitlines()[-1:] or [f"exit code {code}"]
        return CellRunResult(record=None, reason=last[0], code=code)
    try:
        # The base's code may be one that did not remove secrets yet: what is compared has them removed on both sides.
        return CellRunResult(record=scrubbed_run(read_record(output), secrets=own_secrets()), code=code)
    except RecordError as error:
        return CellRunResult(record=None, reason=str(error), code=code)


def settings_without(settings: Mapping[str, Json], *names: str) -> Mapping[str, Json]:
    """The settings without some of them."""
    return {name: value for name, value in settings.items() if name not in names}
