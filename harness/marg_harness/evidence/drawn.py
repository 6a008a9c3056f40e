"""The replies that a model drew in a run. Those on record can be said again on other code; others nobody has."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from marg_reports import CheckRecord, Red, RunRecord, ScenarioRecord, TurnRecord, write_record
from marg_reports.record_file import file_digest
from marg_runtime.canonical import Json


def is_drawn(scenario: ScenarioRecord, *, settings: Mapping[str, Json]) -> bool:
    """Whether a scenario's replies were drawn: by a real model, or by a mock that slipped. Others are in its files."""
    return "model" in settings or any(turn.slips for turn in scenario.turns)


def kept_replies(run: RunRecord, folder: Path) -> Path | None:
    """The drawn replies of a run, written into a folder under the digest of what they are; None where none was drawn.

    Raises RecordError where that cannot be written.
    """
    drawn = tuple(_bare(one) for one in run.scenarios if is_drawn(one, settings=run.settings) and _recorded(one))
    if not drawn:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as beside:
        fresh = Path(beside) / "replies.jsonl"
        write_record(RunRecord(version=run.version, scenarios=drawn), fresh)
        return fresh.replace(folder / f"{file_digest(fresh)}.jsonl")


def missing_replies(red: Red, *, settings: Mapping[str, Json]) -> tuple[str, ...]:
    """What is not on record of the replies up to a red, in words; nothing where all is there, or in the files."""
    if not is_drawn(red.scenario, settings=settings):
        return ()
    return tuple(
        f"the replies of the turn {turn.id!r}"
        for turn in red.scenario.turns[: red.turn + 1]
        if not turn.replies and (turn.slips or ("model" in settings and turn.request_digests))
    )


def _recorded(scenario: ScenarioRecord) -> bool:
    return any(turn.replies for turn in scenario.turns)


def _bare(scenario: ScenarioRecord) -> ScenarioRecord:
    """The scenario with its replies alone, and where there was none to be had."""
    turns = tuple(replace(turn, checks=_unanswered(turn), transcript=(), events=(), wire=()) for turn in scenario.turns)
    return replace(scenario, turns=turns)


def _unanswered(turn: TurnRecord) -> tuple[CheckRecord, ...]:
    return tuple(check for check in turn.checks if check.kind == "undeclared")
