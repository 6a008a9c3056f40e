"""Texts, values and calls as they are read from a file: every text in them is checked as a template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from marg_mock_model.document import Document
from marg_mock_model.script import Call
from marg_mock_model.template import check_template
from marg_mock_model.tree import NodePath

Groups = tuple[str, ...]


def read_calls(
    document: Document, forms: Sequence[Mapping[str, Mapping[str, Any]]], groups: Groups, place: NodePath
) -> tuple[Call, ...]:
    """The calls of a list at a place; raises LocatedError for a text that is no template over the groups."""
    return tuple(_call(document, form, groups, (*place, number)) for number, form in enumerate(forms))


def _call(document: Document, form: Mapping[str, Mapping[str, Any]], groups: Groups, place: NodePath) -> Call:
    ((tool, arguments),) = form.items()
    check_value(document, arguments, groups, (*place, tool))
    return Call(tool=tool, arguments=arguments, path=document.path, line=document.line(*place, tool))


def check_value(document: Document, value: object, groups: Groups, place: NodePath) -> None:
    """Check every text in a value as a template; raises LocatedError."""
    if isinstance(value, str):
        check_text(document, value, groups, place)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            check_value(document, item, groups, (*place, number))
    elif isinstance(value, dict):
        # An unquoted {0} is YAML's mapping of "0" to nothing.
        if len(value) == 1 and set(value) <= set(groups) and set(value.values()) == {None}:
            raise document.error(f"{place[-1]!r} is a mapping; quote the template: '{{{next(iter(value))}}}'.", *place)
        for key, item in value.items():
            check_value(document, item, groups, (*place, key))


def check_text(document: Document, text: str, groups: Groups, place: NodePath) -> None:
    """Check a text as a template; raises LocatedError."""
    try:
        check_template(text, known=groups)
    except ValueError as error:
        raise document.error(f"{error}.", *place) from None
