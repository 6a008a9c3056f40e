"""JUnit XML in Surefire's dialect: a testcase a check; the class in the failure's type and in its text's first line.

GitLab shows neither properties nor the `message`, so the text carries the class too. Attempts before the last are
`rerunFailure` elements where the check failed in the end and `flakyFailure` where it passed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.etree.ElementTree import ParseError, fromstring
from xml.sax.saxutils import escape, quoteattr

from marg_reports.render.body import class_of, headline, message, red_body
from marg_reports.render.plain_text import visible
from marg_reports.report import CheckLine, Place, TriagedRed, TriageReport

MOST_BYTES = 30_000_000
"""GitLab refuses a larger file."""

TEXT_BUDGET = 16_000_000
"""Characters of all failures' texts together; the marks around them, and letters of several bytes, need the rest."""
LONGEST_TEXT = 16_000
SHORTEST_TEXT = 200


def junit_xml(report: TriageReport) -> str:
    """The XML; no time and no host in it, so the same report is the same bytes."""
    reds = {red.place.id: red for red in report.reds}
    limit = min(LONGEST_TEXT, TEXT_BUDGET // max(1, len(reds)))
    while True:
        xml = "\n".join((*_head(report), *_suites(report, reds, limit), "</testsuites>", ""))
        if limit <= SHORTEST_TEXT or len(xml.encode()) < MOST_BYTES:
            return xml
        limit = max(SHORTEST_TEXT, limit // 2)


def junit_classes(xml: str) -> dict[str, str]:
    """The class of each failed testcase by `classname::name`, read back from a file of ours.

    Raises ValueError for what is no XML.
    """
    try:
        root = fromstring(xml)
    except ParseError as error:
        raise ValueError(f"no JUnit XML: {error}") from error
    return {
        f"{case.get('classname', '')}::{case.get('name', '')}": class_of(failure.text or "") or ""
        for case in root.iter("testcase")
        for failure in case.findall("failure")
    }


def _head(report: TriageReport) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="marg" {_counts(report.checks)}>'


def _counts(checks: tuple[CheckLine, ...] | list[CheckLine]) -> str:
    failed = sum(check.valid and not check.passed for check in checks)
    errors = sum(not check.valid for check in checks)
    return f'tests="{len(checks)}" failures="{failed}" errors="{errors}" skipped="0" time="0"'


def _suites(report: TriageReport, reds: dict[str, TriagedRed], limit: int) -> Iterator[str]:
    def suite(check: CheckLine) -> str:
        return check.place.suite

    for name, group in groupby(report.checks, key=suite):
        checks = list(group)
        yield f"<testsuite name={_attribute(name)} {_counts(checks)}>"
        for check in checks:
            yield from _case(name, check, reds.get(check.place.id), limit)
        yield "</testsuite>"


def _case(suite: str, check: CheckLine, red: TriagedRed | None, limit: int) -> Iterator[str]:
    place = check.place
    opening = f'<testcase classname={_attribute(suite)} name={_attribute(place.name)}{_file(place)} time="0"'
    parts = list(_outcome(check, red, limit))
    if not parts:
        yield f"{opening}/>"
        return
    yield f"{opening}>"
    yield from parts
    yield "</testcase>"


def _file(place: Place) -> str:
    file = f" file={_attribute(place.source)}" if place.source else ""
    return f'{file} line="{place.line}"' if place.line else file


def _outcome(check: CheckLine, red: TriagedRed | None, limit: int) -> Iterator[str]:
    if not check.valid:
        yield '<error type="red.invalid" message="not measured">not measured: the check could not be run</error>'
    elif red is not None:
        failure = f'type="red.{red.red_class}" message={_attribute(message(red))}'
        yield f"<failure {failure}>{_text(red_body(red, limit=limit))}</failure>"
    elif not check.passed:
        yield '<failure type="red" message="failed">failed: the run was not triaged</failure>'
    again = "flakyFailure" if check.passed else "rerunFailure"
    for attempt, passed in enumerate(check.attempts[:-1], start=1):
        if not passed:
            kind = f"red.{red.red_class}" if red else "red"
            said = (
                headline(red)
                if red
                else "failed before it passed"
                if check.passed
                else "failed, and not this time alone"
            )
            yield f'<{again} type="{kind}" message="attempt {attempt}">{_text(said)}</{again}>'


def _attribute(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    return escape(text)
