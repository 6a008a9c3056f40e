"""Reading a run from the Common Test Report Format."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from marg_reports.errors import RecordError
from marg_reports.foreign.case import ForeignCase, Status, run_of
from marg_reports.foreign.stack import failed_at

_STATUSES: dict[str, Status] = {"passed": "passed", "failed": "failed", "other": "error"}


def _joined(suite: Any) -> Any:
    return " > ".join(str(part) for part in suite) if isinstance(suite, list) else suite


class _Test(BaseModel):
    """A test of CTRF. Older writers give the suite as one text; some write null for what they do not know."""

    model_config = ConfigDict(hide_input_in_errors=True)

    name: str
    status: str
    suite: Annotated[str | None, BeforeValidator(_joined)] = None
    file_path: str | None = Field(default=None, alias="filePath")
    line: int | None = None
    message: str | None = None
    trace: str | None = None
    retries: int | None = None


class _Summary(BaseModel):
    """The counts of CTRF."""

    failed: int = 0
    other: int = 0


class _Results(BaseModel):
    """The results of CTRF."""

    tests: list[_Test]
    summary: _Summary | None = None


class _Document(BaseModel):
    """A CTRF document."""

    results: _Results


def ctrf_run(text: str | bytes, *, name: str) -> dict[str, ForeignCase]:
    """The cases of a CTRF file by id.

    Raises RecordError for what is no CTRF, and for a file that lists fewer failures than it counts.
    """
    try:
        document = _Document.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the document"
        raise RecordError(f"{name}: no CTRF: {place}: {first['msg']}; have the runner write it anew") from error
    results = document.results
    cases = [_case(test) for test in results.tests]
    reds, failed = sum(case.is_red for case in cases), results.summary.failed if results.summary else 0
    if failed > reds:
        raise RecordError(f"{name}: it counts {failed} failed tests and lists {reds}; write the whole report")
    return run_of(cases)


def _case(test: _Test) -> ForeignCase:
    status = _STATUSES.get(test.status, "skipped")
    suite, path = test.suite or "", test.file_path or ""
    where = failed_at(test.trace or "", suite=suite, path=path)
    red = status in ("failed", "error")
    return ForeignCase(
        suite=suite,
        name=test.name,
        status=status,
        path=path or where.file,
        line=where.line or test.line or 0,
        kind=where.raised if red else "",
        at=where.at if red else "",
        message=(test.message or "") if red else "",
        text=(test.trace or test.message or "") if red else "",
        failed_before=max(0, test.retries or 0),
    )
