"""Arguments of a call against those that are expected: equal, matching, any, absent; in part or all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json, canonical_json

MATCHERS = ("equals", "matches", "any", "absent")
"""A mapping of one such key in the place of an argument's value is a matcher; `equals` takes a value as it stands."""


def arguments_fit(
    wanted: Mapping[str, Json],
    got: Mapping[str, Json],
    *,
    exact: bool = False,
    ignore: Collection[str] = (),
    form: Form = identity,
) -> bool:
    """Whether every wanted argument is there as wanted; where `exact`, no other is, but for those to ignore."""
    if exact and not set(got) <= {*wanted, *ignore}:
        return False
    return all(_fits(value, name, got, form) for name, value in wanted.items() if name not in ignore)


def check_matchers(arguments: Mapping[str, Any]) -> None:
    """Raise ValueError for a matcher that could not be one."""
    for name, value in arguments.items():
        matcher = _matcher(value)
        if matcher in ("any", "absent") and value[matcher] is not True:
            raise ValueError(f"{name!r} has {matcher!r}, which takes true and nothing else")
        if matcher == "matches":
            _check_pattern(name, value["matches"])


def _check_pattern(name: str, pattern: object) -> None:
    if not isinstance(pattern, str) or not pattern:
        raise ValueError(f"{name!r} has 'matches', which takes a regular expression, not {pattern!r}")
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{name!r} has {pattern!r}, which is not a regular expression: {error}") from None


def _matcher(value: object) -> str | None:
    if isinstance(value, Mapping) and len(value) == 1:
        (key,) = value
        return key if key in MATCHERS else None
    return None


def _fits(wanted: Json, name: str, got: Mapping[str, Json], form: Form) -> bool:
    matcher = _matcher(wanted)
    if matcher == "absent" or name not in got:
        return matcher == "absent" and name not in got
    if matcher is None:
        return holds_subset(form(wanted), form(got[name]))
    assert isinstance(wanted, Mapping)
    return _TESTS[matcher](wanted[matcher], got[name], form)


def _matches(pattern: Any, value: Json, form: Form) -> bool:
    formed = form(value)
    text = formed if isinstance(formed, str) else canonical_json(formed)
    return re.search(pattern, text) is not None


_TESTS: Mapping[str, Callable[[Any, Json, Form], bool]] = {
    "equals": lambda wanted, value, form: canonical_json(form(wanted)) == canonical_json(form(value)),
    "matches": _matches,
    "any": lambda *_: True,
}


def holds_subset(expected: Json, got: Json) -> bool:
    """Whether every key that is expected is there with its value; lists are compared whole."""
    if isinstance(expected, Mapping):
        return isinstance(got, Mapping) and all(
            key in got and holds_subset(value, got[key]) for key, value in expected.items()
        )
    return canonical_json(expected) == canonical_json(got)
