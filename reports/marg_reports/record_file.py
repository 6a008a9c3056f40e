"""The run record as a file of JSON Lines: written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from marg_reports.errors import RecordError
from marg_reports.json_lines import json_line
from marg_reports.record import FORMAT_VERSION, CheckRecord, RunRecord, ScenarioRecord, TurnRecord
from marg_runtime.canonical import Json


def lines_of(run: RunRecord) -> Iterator[str]:
    """The record's lines: the run, then every scenario, each followed by its turns, each followed by its checks."""
    reds, unmeasured = len(run.reds()), len(run.unmeasured())
    yield json_line(
        {
            "record": "run",
            "format": FORMAT_VERSION,
            "version": run.version,
            "scenarios": len(run.scenarios),
            "turns": sum(len(scenario.turns) for scenario in run.scenarios),
            "checks": sum(len(scenario.checks) for scenario in run.scenarios),
            "reds": reds,
            **({"unmeasured": unmeasured} if unmeasured else {}),
            **({"settings": run.settings} if run.settings else {}),
        }
    )
    for scenario in run.scenarios:
        yield json_line(_scenario(scenario))
        for turn in scenario.turns:
            yield json_line(_turn(scenario, turn))
            for check in turn.checks:
                place = {"record": "check", **_named(scenario), "turn": turn.id}
                yield json_line({**place, **_written(check)})


def write_record(run: RunRecord, path: Path) -> None:
    """Write the record to a temporary file beside `path`, then rename it. Raises RecordError where that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with temporary.open("x", encoding="utf-8", newline="\n") as file:
                file.writelines(line + "\n" for line in lines_of(run))
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RecordError(f"the run record {str(path)!r} cannot be written: {error.strerror or error}") from error


def file_digest(path: Path) -> str:
    """The digest of a file's bytes, short enough to be read out. Raises RecordError where it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()[:20]
    except OSError as error:
        raise RecordError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error


def _scenario(scenario: ScenarioRecord) -> dict[str, Json]:
    return {
        "record": "scenario",
        **_named(scenario),
        "tags": scenario.tags,
        "line": scenario.line,
        "turns": len(scenario.turns),
        "turns_planned": scenario.turns_planned,
        "writes": scenario.writes,
        "passed": all(check.passed for check in scenario.checks),
    }


def _turn(scenario: ScenarioRecord, turn: TurnRecord) -> dict[str, Json]:
    return {
        "record": "turn",
        **_named(scenario),
        "turn": turn.id,
        "line": turn.line,
        **({} if turn.file is None else {"file": turn.file}),
        "transcript": [asdict(line) for line in turn.transcript],
        "request_digests": turn.request_digests,
        "events": turn.events,
        **{name: getattr(turn, name) for name in ("taken", "slips", "wire", "replies") if getattr(turn, name)},
    }


def _named(scenario: ScenarioRecord) -> dict[str, Json]:
    """What every line says of its scenario; the row only where there are rows."""
    row: dict[str, Json] = {} if scenario.row is None else {"row": scenario.row}
    return {"path": scenario.path, "scenario": scenario.name, **row}


def _written(check: CheckRecord) -> dict[str, Json]:
    """A check's fields; the file only where it is not the scenario's, and an error only where there was one."""
    unsaid = {"file": None, "raised": "nothing", "measured": True}
    return {name: part for name, part in asdict(check).items() if name not in unsaid or part != unsaid[name]}
