"""The signature of a failure: the same scenario that fails at another check, or in another way, is a different red.

Ids, times and counts of lines are masked, since they differ from run to run and side to side; so is every message of an
error, which is text and no evidence: of an error, its type and the innermost file stay.
"""

from __future__ import annotations

import re

from marg_reports.difference import differences
from marg_reports.forms import form_of
from marg_reports.record import CheckRecord
from marg_runtime.canonical import Json, digest

_MASK = form_of(("id", "clock"))
_ERROR = re.compile(r"\A(?P<type>[\w.]+): .*?(?: \(at (?P<file>[^:()\s]+):\d+.*\))?\Z", re.DOTALL)
_PLACE = re.compile(r"(?:[^\s:'\"]*/)?\b([\w-]+\.(?:ya?ml|py)):\d+")


def signature(*, scenario: str, turn: str, check: CheckRecord) -> str:
    """The digest of where and how a check failed; empty for one that passed. scenario: `path::name[row]`."""
    if check.passed:
        return ""
    return digest([scenario, turn, check.id, check.kind, check.raised, _what(check)])


def _what(check: CheckRecord) -> Json:
    if check.raised in ("runtime", "check") and isinstance(check.got, str):
        return _error(check.got)
    if check.kind == "undeclared" and isinstance(check.got, str):
        return _PLACE.sub(r"\1", check.got)
    return list(differences(_MASK(check.expected), _MASK(check.got)))


def _error(text: str) -> Json:
    found = _ERROR.match(text)
    return [found["type"], found["file"] or ""] if found else "an error"
