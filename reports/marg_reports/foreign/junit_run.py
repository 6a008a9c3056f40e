"""Reading a run from JUnit XML of any runner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import ParseError, XMLParser

from marg_reports.errors import RecordError
from marg_reports.foreign.case import ForeignCase, Status

MOST_DEPTH = 100  # suites nest; deeper than this no runner goes


def junit_run(text: str, *, name: str) -> dict[str, ForeignCase]:
    """The cases of a JUnit file by id; of several of one id (attempts) the last counts. `name` is for errors.

    Raises RecordError for what is no JUnit XML, and for a document type: entities are not expanded.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise RecordError(f"{name}: a document type is not read; write the file without one")
    parser = XMLParser()
    try:
        parser.feed(text)
        root = parser.close()
    except ParseError as error:
        line, column = error.position
        raise RecordError(f"{name}:{line}: no XML at column {column + 1}: {error}") from error
    if root.tag not in ("testsuites", "testsuite"):
        raise RecordError(f"{name}: the root is {root.tag!r}, not testsuites or testsuite; is it JUnit XML?")
    return {case.id: case for case in _cases(root, depth=0)}


def _cases(element: Any, *, depth: int) -> Iterator[ForeignCase]:
    if depth > MOST_DEPTH:
        return
    for child in element:
        if child.tag == "testsuite":
            yield from _cases(child, depth=depth + 1)
        elif child.tag == "testcase":
            yield _case(child, element.get("name", ""))


def _case(element: Any, suite: str) -> ForeignCase:
    found = next((child for tag in ("error", "failure", "skipped") if (child := element.find(tag)) is not None), None)
    statuses: dict[str, Status] = {"error": "error", "failure": "failed", "skipped": "skipped"}
    line = element.get("line", "")
    return ForeignCase(
        suite=element.get("classname") or suite,
        name=element.get("name", ""),
        status=statuses[found.tag] if found is not None else "passed",
        path=element.get("file", ""),
        line=int(line) if line.isdigit() else 0,
        kind=found.get("type", "") if found is not None else "",
        text=(found.text or found.get("message", "")) if found is not None else "",
    )
