"""Which keys a pydantic model knows at a place in its input: what a misspelt key was meant to be."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel


def known_keys(model: type[BaseModel], path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys that the mapping at `path` may have, in the order of the model; empty where any key may be.

    A union counts for all its members, unless `path` names one, as the locations of pydantic's errors do.
    """
    places: list[Any] = [model]
    for step in path:
        places = [after for place in places for kind in _members(place) for after in _below(kind, step)]
    forms = [kind for place in places for kind in _members(place) if _is_form(kind)]
    return tuple(dict.fromkeys(key for form in forms for key in _fields(form)))


def _members(kind: Any) -> Iterator[Any]:
    """A type without its annotations and aliases; the members of a union."""
    if get_origin(kind) is Annotated:
        yield from _members(get_args(kind)[0])
    elif get_origin(kind) in (Union, types.UnionType):
        for member in get_args(kind):
            yield from _members(member)
    elif hasattr(kind, "__value__"):
        yield from _members(kind.__value__)
    else:
        yield kind


def _below(kind: Any, step: str | int) -> Iterator[Any]:
    """What one step of a path leads to from a type: a field, an item, or the same form where the step is its name."""
    if _is_form(kind):
        fields = _fields(kind)
        if step in fields:
            yield fields[str(step)]
        elif kind.__name__ in str(step):
            # The form's own name, alone or within that of its validator, names a member of a union.
            yield kind
    elif isinstance(step, str) and get_origin(kind) in (list, tuple):
        yield kind
    elif get_args(kind):
        yield get_args(kind)[-1 if isinstance(step, str) else 0]


def _fields(form: type[BaseModel]) -> dict[str, Any]:
    return {info.alias or name: info.annotation for name, info in form.model_fields.items()}


def _is_form(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
