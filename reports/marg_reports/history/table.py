"""Triage reports as one flat table: Parquet on disk, pandas for whoever wants to ask more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marg_reports.errors import RecordError
from marg_reports.history.history import GREEN, RunOfHistory
from marg_reports.render.plain_text import visible
from marg_reports.report import CheckLine, TriagedRed, read_report

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = (
    "run",
    "head",
    "base",
    "path",
    "scenario",
    "turn",
    "check",
    "line",
    "valid",
    "attempts",
    "state",
    "sub",
    "rule",
)
_MISSING_EXTRA = "no module {name!r}: tables need the extra data: pip install 'marg[data]'"


def load(path: Path | str) -> DataFrame:
    """A row a check of every run, with the columns of COLUMNS; `state` is `green` or the red's class.

    path: a triage report (.jsonl), a Parquet file or dataset, or a folder of reports. Raises RecordError where there is
    none, and where pandas is missing.
    """
    path = Path(path)
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise RecordError(_MISSING_EXTRA.format(name=error.name)) from None
    if path.suffix == ".parquet":
        return pandas.read_parquet(path)
    return pandas.DataFrame(_rows(runs_in(path)), columns=list(COLUMNS))


def runs_in(path: Path) -> tuple[RunOfHistory, ...]:
    """The runs of a report or of a folder's reports, named after their files."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise RecordError(f"{str(path)!r} holds no triage report (*.jsonl); write one: marg triage RUN --jsonl FILE")
    return tuple(RunOfHistory(name=file.stem, report=read_report(file)) for file in files)


def write_parquet(runs: Sequence[RunOfHistory], path: Path) -> None:
    """Write the table to a file beside `path`, then rename it. Raises RecordError where pyarrow is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise RecordError(_MISSING_EXTRA.format(name=error.name)) from None
    rows = list(_rows(runs))
    table = pyarrow.table(
        {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}, schema=_schema(pyarrow)
    )
    partial = path.with_name(f".{path.name}.part")
    try:
        pyarrow.parquet.write_table(table, partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _schema(pyarrow: Any) -> Any:
    kinds = {"line": pyarrow.int32(), "valid": pyarrow.bool_(), "attempts": pyarrow.int32()}
    return pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])


def _rows(runs: Sequence[RunOfHistory]) -> Iterator[tuple[Any, ...]]:
    for run in sorted(runs, key=lambda one: one.name):
        reds = {red.place.id: red for red in run.report.reds}
        for check in run.report.checks:
            yield (visible(run.name), run.report.head, run.report.base, *_row(check, reds.get(check.place.id)))


def _row(check: CheckLine, red: TriagedRed | None) -> tuple[Any, ...]:
    place = check.place
    state = red.red_class if red else GREEN if check.valid else ""
    verdict = red.verdict if red else None
    where = (*map(visible, (place.path, place.scenario, place.turn, place.check)), place.line)
    return (
        *where,
        check.valid,
        len(check.attempts),
        state,
        verdict.sub if verdict else "",
        verdict.rule if verdict else "",
    )
