"""What stops a scenario, as a failed check: a crash, an undeclared situation, what was not shown, a network."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from marg_harness.errors import NotRecorded, NotShown
from marg_harness.paths import shown_path
from marg_mock_model import UndeclaredSituation
from marg_reports import CheckRecord, Owner, Raised, StopKind
from marg_reports.record import WRITTEN

IN_THE_SCENARIO = (
    'Or give the reply in the turn itself, `model: {text: "..."}` (a list where the model is called several times), or '
    "the scenario a machine of its own, `machine: FILE`."
)
CRASH_FRAMES = 3  # of a traceback, in a crash's record


def crash_stop(error: BaseException, *, line: int) -> CheckRecord:
    """Something raised; file names go without folders, so that records are the same everywhere."""
    got = error_text(only_error(error))
    return _stop("crash", owner="runtime", line=line, expected="no error", got=got, raised="runtime")


def only_error(error: BaseException) -> BaseException:
    """The error out of groups that hold nothing else."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def died_stop(*, line: int) -> CheckRecord:
    """The process in which the scenario was replayed died: a hard exit, a signal, no memory."""
    got = "the process died"
    return _stop("crash", owner="runtime", line=line, expected="no error", got=got, raised="runtime")


def error_text(error: BaseException) -> str:
    """An error and the innermost places of its traceback."""
    frames = traceback.extract_tb(error.__traceback__)[-CRASH_FRAMES:]
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__}: {error} (at {places})"


def undeclared_stop(error: UndeclaredSituation, *, line: int) -> CheckRecord:
    """The machine has no answer; and what can be done about it in the scenario."""
    said = str(error).replace(error.path, _place(error.path)) if error.path else str(error)
    got = f"{said}. {IN_THE_SCENARIO}"
    return _stop("undeclared", owner="model", line=line, expected="a declared transition", got=got, raised="machine")


def _place(path: str) -> str:
    """Where a machine's file is, from the present folder or from where Python looks: no folder of this machine's, so
    that records are the same everywhere."""
    shown = Path(shown_path(Path(path)))
    if not shown.is_absolute():
        return shown.as_posix()
    roots = [root for root in map(Path, filter(None, sys.path)) if shown.is_relative_to(root.resolve())]
    nearest = max((root.resolve() for root in roots), key=lambda root: len(root.parts), default=shown.parent)
    return shown.relative_to(nearest).as_posix()


def not_shown_stop(error: NotShown, *, line: int) -> CheckRecord:
    """The scenario answers what the runtime did not show."""
    return _stop("not_shown", owner="runtime", line=line, expected=error.wanted, got=error.shown)


def unrecorded_stop(error: NotRecorded, *, line: int) -> CheckRecord:
    """The replies on record say nothing of how it would have gone on: nothing was measured, and nothing is red."""
    stop = _stop("unrecorded", owner="model", line=line, expected="a recorded reply", got=str(error))
    return replace(stop, measured=False)


def network_stop(attempts: Sequence[str], *, line: int) -> CheckRecord:
    """Something tried to reach a network, whoever caught the error."""
    return _stop("network", owner="runtime", line=line, expected="no network", got=attempts[0])


def written_red(counted: int, *, line: int) -> CheckRecord:
    """The backend counted writes, at the end of a scenario in which writes are off, that none of its checks saw."""
    return CheckRecord(
        id=WRITTEN,
        kind=WRITTEN,
        owner="runtime",
        line=line,
        passed=False,
        expected={"writes": 0},
        got={"writes": counted},
    )


def _stop(
    kind: StopKind, *, owner: Owner, line: int, expected: str, got: str, raised: Raised = "nothing"
) -> CheckRecord:
    return CheckRecord(
        id=kind, kind=kind, owner=owner, line=line, passed=False, expected=expected, got=got, raised=raised
    )
