"""Reading the record of a run back from its JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from marg_reports.errors import RecordError
from marg_reports.json_lines import json_object, read_lines
from marg_reports.record import FORMAT_VERSION, CheckRecord, RunRecord, ScenarioRecord, TurnRecord

MAKE = "marg replay PATH"

_PLACE = ("record", "path", "scenario", "row", "turn")


def read_record(path: Path) -> RunRecord:
    """The run of a file; raises RecordError with file:line for what is no run record of this format."""
    return record_of(_lines(path), name=str(path))


def _lines(path: Path) -> list[str]:
    return read_lines(path, what="run record", make=MAKE)


@dataclass(frozen=True, kw_only=True)
class DamagedRun:
    """What could be read of a run, and what is missing of it, in words; nothing where it is whole."""

    run: RunRecord
    missing: tuple[str, ...]


def read_damaged(path: Path) -> DamagedRun:
    """As much of a run as its file holds, up to the first line that cannot be read.

    Raises RecordError where not even its first line can: then it is no run record.
    """
    try:
        return DamagedRun(run=read_record(path), missing=())
    except RecordError as error:
        lines = _lines(path)
        for kept in range(len(lines), 0, -1):
            try:
                return DamagedRun(run=_run_of(lines[:kept], name=str(path), whole=False), missing=(str(error),))
            except RecordError:
                continue
        raise


def record_of(lines: Iterable[str], *, name: str) -> RunRecord:
    """The run of these lines; `name` is the file's in an error. Raises RecordError, also for a file that was cut."""
    return _run_of(lines, name=name, whole=True)


def _run_of(lines: Iterable[str], *, name: str, whole: bool) -> RunRecord:
    head: dict[str, Any] = {}
    scenarios: list[_Scenario] = []
    for number, line in enumerate(lines, start=1):
        where = f"{name}:{number}"
        record = json_object(line, where=where)
        match record.get("record"):
            case "run" if number == 1 and record.get("format") == FORMAT_VERSION:
                head = record
            case "scenario":
                scenarios.append(_Scenario(record=_scenario(record, where)))
            case "turn" if scenarios:
                scenarios[-1].turns.append(_Turn(record=_turn(record, where)))
            case "check" if scenarios and scenarios[-1].turns:
                scenarios[-1].turns[-1].checks.append(_check(record, where))
            case other:
                raise RecordError(
                    f"{where}: {other!r} is no record of a run of format {FORMAT_VERSION}, or out of place"
                )
    if not head:
        raise RecordError(f"{name}: it has no run; replay again: {MAKE}")
    settings = head.get("settings", {})
    if not isinstance(settings, dict):
        raise RecordError(f"{name}:1: the run's settings are {settings!r}, not an object; replay again: {MAKE}")
    whole_scenarios = tuple(one.whole() for one in scenarios)
    run = RunRecord(version=str(head.get("version", "")), scenarios=whole_scenarios, settings=settings)
    if whole:
        _check_whole(run, head, name)
    return run


@dataclass(kw_only=True)
class _Turn:
    """A turn whose checks are still being read."""

    record: TurnRecord
    checks: list[CheckRecord] = field(default_factory=list)

    def whole(self) -> TurnRecord:
        return replace(self.record, checks=tuple(self.checks))


@dataclass(kw_only=True)
class _Scenario:
    """A scenario whose turns are still being read."""

    record: ScenarioRecord
    turns: list[_Turn] = field(default_factory=list)

    def whole(self) -> ScenarioRecord:
        return replace(self.record, turns=tuple(turn.whole() for turn in self.turns))


def _check_whole(run: RunRecord, head: Mapping[str, Any], name: str) -> None:
    counted = {
        "scenarios": len(run.scenarios),
        "turns": sum(len(scenario.turns) for scenario in run.scenarios),
        "checks": sum(len(scenario.checks) for scenario in run.scenarios),
    }
    for key, got in counted.items():
        if head.get(key) != got:
            raise RecordError(
                f"{name}: it is cut short: {head.get(key)!r} {key} announced, {got!r} there; replay again: {MAKE}"
            )


def _scenario(record: Mapping[str, Any], where: str) -> ScenarioRecord:
    kept = {"name": record.get("scenario"), "path": record.get("path"), "row": record.get("row"), "turns": ()}
    fields = {key: record[key] for key in ("line", "turns_planned", "writes", "tags") if key in record}
    found: ScenarioRecord = _valid(ScenarioRecord, {**kept, **fields}, where)
    return found


def _turn(record: Mapping[str, Any], where: str) -> TurnRecord:
    fields = {key: value for key, value in record.items() if key not in _PLACE}
    found: TurnRecord = _valid(TurnRecord, {**fields, "id": record.get("turn"), "checks": ()}, where)
    return found


def _check(record: Mapping[str, Any], where: str) -> CheckRecord:
    fields = {key: value for key, value in record.items() if key not in _PLACE}
    found: CheckRecord = _valid(CheckRecord, fields, where)
    return found


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _valid(kind: type, fields: Mapping[str, Any], where: str) -> Any:
    try:
        return _adapter(kind).validate_python(dict(fields))
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(str(part) for part in problem["loc"])
        raise RecordError(f"{where}: {place!r} of the {kind.__name__} is wrong: {problem['msg']}") from error
