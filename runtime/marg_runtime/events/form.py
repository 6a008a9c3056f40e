"""The form of an event: its fields and their types, all the way down, as they stand on a line of the ledger (rule C6).

An event whose form changes has another version, and an upcaster in `marg_runtime.events.upcasters`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

Form: TypeAlias = "str | dict[str, Form]"


def form_of(kind: type) -> dict[str, Form]:
    """The fields of an event, each with its type: a word, or where it is a record of its own, that record's form."""
    hints = get_type_hints(kind)
    return {field.name: _type_form(hints[field.name]) for field in sorted(fields(kind), key=lambda one: one.name)}


def _type_form(hint: Any) -> Form:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(sorted(map(repr, inner)))
    if origin in (Union, UnionType):
        forms = {_name(one): _type_form(one) for one in inner}
        if all(isinstance(form, str) for form in forms.values()):
            return " | ".join(sorted(str(form) for form in forms.values()))
        return {name: forms[name] for name in sorted(forms)}
    if origin is tuple:
        return {"list of": _type_form(inner[0])}
    if origin is Mapping:
        return {"map to": _type_form(inner[1])}
    if is_dataclass(hint) and isinstance(hint, type):
        return {hint.__name__: form_of(hint)}
    return _name(hint)


def _name(hint: Any) -> str:
    if hint is Any:
        return "json"
    return "null" if hint is NoneType else getattr(hint, "__name__", str(hint))
