"""Reading a run from JUnit XML of any runner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn
from xml.etree.ElementTree import ParseError, TreeBuilder, XMLParser

from marg_reports.errors import RecordError
from marg_reports.foreign.case import ForeignCase, Status, run_of
from marg_reports.foreign.stack import failed_at

MOST_DEPTH = 100  # suites nest; deeper than this no runner goes
_STATUSES: dict[str, Status] = {"error": "error", "failure": "failed", "skipped": "skipped"}
_ATTEMPTS = ("rerunFailure", "rerunError", "flakyFailure", "flakyError")
UNLISTED = "failures that no testcase shows"


def junit_run(text: str | bytes, *, name: str) -> dict[str, ForeignCase]:
    """The cases of a JUnit file by id. `name` is for errors.

    Surefire's `rerunFailure` and `flakyFailure` are attempts of one case. Where a suite counts more failures than its
    cases show, it has a case of its own for them. Raises RecordError for what is no JUnit XML, and for a document type:
    entities are not expanded.
    """
    parser = XMLParser(target=_Builder(name))
    try:
        parser.feed(text)
        root = parser.close()
    except ParseError as error:
        line, column = error.position
        raise RecordError(
            f"{name}:{line}: no XML at column {column + 1}: {error}; have the runner write it anew"
        ) from error
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        raise RecordError(f"{name}:1: no XML that can be read: {error}; write it as UTF-8") from error
    if _tag(root) not in ("testsuites", "testsuite"):
        raise RecordError(f"{name}:1: the root is {_tag(root)!r}, not testsuites or testsuite; is it JUnit XML?")
    return run_of(list(_root_cases(root, name)))


class _Builder(TreeBuilder):
    """Builds the tree, and refuses a document type."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def doctype(self, name: str, pubid: str | None, system: str | None) -> NoReturn:
        """Refuse: entities could be anything, of any size."""
        raise RecordError(f"{self._name}: the document type {name!r} is not read; write the file without one")


def _root_cases(root: Any, name: str) -> Iterator[ForeignCase]:
    suites = [root] if _tag(root) == "testsuite" else [one for one in root if _tag(one) == "testsuite"]
    for suite in suites:
        cases = list(_cases(suite, name, depth=0))
        yield from cases
        stated = _number(suite.get("failures")) + _number(suite.get("errors"))
        unlisted = stated - sum(case.is_red for case in cases)
        if unlisted > 0:
            named = suite.get("name", "")
            yield ForeignCase(suite=named, name=UNLISTED, status="error", text=f"{unlisted} {UNLISTED}")
    yield from (_case(one, "") for one in root if _tag(root) == "testsuites" and _tag(one) == "testcase")


def _cases(element: Any, name: str, *, depth: int) -> Iterator[ForeignCase]:
    if depth > MOST_DEPTH:
        raise RecordError(f"{name}: suites within suites, more than {MOST_DEPTH} deep; is it JUnit XML?")
    for child in element:
        if _tag(child) == "testsuite":
            yield from _cases(child, name, depth=depth + 1)
        elif _tag(child) == "testcase":
            yield _case(child, element.get("name", ""))


def _case(element: Any, suite: str) -> ForeignCase:
    tags = {_tag(child): child for child in reversed(list(element))}
    found = next((tags[tag] for tag in _STATUSES if tag in tags), None)
    status = _STATUSES[_tag(found)] if found is not None else "passed"
    name, path = element.get("name", ""), element.get("file", "")
    # pytest writes a file that it could not collect as an error without a class.
    collects = name if status == "error" and element.get("classname") == "" else ""
    suite = element.get("classname") or ("" if collects else suite)
    text = "".join(found.itertext()) or found.get("message", "") if found is not None else ""
    where = failed_at(text, suite=suite or collects, path=path)
    return ForeignCase(
        suite=suite,
        name=name,
        status=status,
        path=path or where.file,
        line=where.line or _number(element.get("line")),
        kind=(found.get("type", "") or where.raised) if found is not None else "",
        at=where.at,
        message=found.get("message", "") if found is not None else "",
        text=text,
        failed_before=sum(_tag(child) in _ATTEMPTS for child in element),
        collects=collects,
    )


def _tag(element: Any) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else 0
