"""Telling a runner's report by its content, whatever its name is."""

from __future__ import annotations

import re
from typing import Final

from marg_reports.errors import RecordError
from marg_reports.foreign.case import Dialect, ForeignCase
from marg_reports.foreign.ctrf_run import ctrf_run
from marg_reports.foreign.junit_run import junit_run
from marg_reports.foreign.report_log_run import report_log_run

HEAD_BYTES = 1_000_000
"""So much of a file is enough to tell what it is."""

_MARKS: Final[dict[bytes, Dialect | None]] = {
    b"$report_type": "report log",
    b"reportFormat": "CTRF",
    b"results": "CTRF",
    b"record": None,  # a record of Marg's own
}
_MARK: Final = re.compile(rb'"(\$report_type|reportFormat|results|record)"\s*:')
_UTF_16: Final = (b"\xff\xfe<\x00", b"\xfe\xff\x00<")


def dialect_of(head: bytes) -> Dialect | None:
    """What a file is by its first bytes; None for what is no report of another runner."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<") or head.startswith(_UTF_16):
        return "JUnit"
    found = _MARK.search(start) if start.startswith(b"{") else None
    return _MARKS[found[1]] if found else None


def foreign_run(data: bytes, *, name: str) -> dict[str, ForeignCase]:
    """The cases of a report by id. `name` is the file's, for errors.

    Raises RecordError for what is none of the forms, is damaged, or has no test in it.
    """
    dialect = dialect_of(data[:HEAD_BYTES])
    if dialect is None:
        raise RecordError(f"{name}: {data[:40]!r} begins no JUnit XML, no CTRF and no report log of pytest; name one")
    if dialect == "JUnit":
        run = junit_run(data, name=name)
    elif dialect == "CTRF":
        run = ctrf_run(data.removeprefix(b"\xef\xbb\xbf"), name=name)
    else:
        run = report_log_run(_lines(data, name), name=name)
    if not run:
        raise RecordError(f"{name}: it has no test case; did the runner find its tests?")
    return run


def _lines(data: bytes, name: str) -> list[str]:
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise RecordError(f"{name}: byte {error.start + 1} is no UTF-8; is it a report log?") from error
    return [line for line in lines if line.strip()]
