"""Guards as they are read from a file, with what a pattern must hold to."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, get_args

from marg_mock_model.document import Document
from marg_mock_model.guard import CHECKED_PATTERNS, Guard, GuardName
from marg_mock_model.tree import NodePath
from marg_mock_model.when import When

if TYPE_CHECKING:
    from marg_mock_model.machine_form import WhenForm


def read_when(document: Document, form: WhenForm, place: NodePath) -> When:
    """The guards at a place; raises LocatedError for a pattern that is none, or two with a group of one name."""
    guards = []
    for name in get_args(GuardName):
        value = getattr(form, name)
        if value is None:
            continue
        if name in CHECKED_PATTERNS:
            _check_pattern(document, value, (*place, name))
        guards.append(Guard(name=name, value=value, path=document.path, line=document.line(*place, name)))
    when = When(guards=tuple(guards), path=document.path, line=document.line(*place))
    _check_groups(document, when, place)
    return when


def _check_pattern(document: Document, pattern: str, place: NodePath) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what Python will read otherwise in a later release is refused now
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        message = f"{place[-1]!r} is {pattern!r}, which is not a regular expression: {error}; correct it."
        raise document.error(message, *place) from None


def _check_groups(document: Document, when: When, place: NodePath) -> None:
    named = [name for name in when.group_names() if not name.isdigit()]
    for name in named:
        if named.count(name) > 1:
            raise document.error(f"the group {name!r} stands in two patterns; give each its own name.", *place)
