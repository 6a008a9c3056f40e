"""A form: JSON in, JSON out, in which what it does not care about is the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

from marg_runtime.canonical import Json

FormName = Literal["whitespace", "case", "order", "id", "clock", "unicode", "wording", "over_specified"]
"""What a check may declare that it does not care about. All are off unless declared: text is what a person reads."""

FORM_NAMES: Final[tuple[FormName, ...]] = get_args(FormName)

Form: TypeAlias = Callable[[Json], Json]


def identity(value: Json) -> Json:
    """The value itself: no form declared."""
    return value


def over_texts(value: Json, change: Callable[[str], str]) -> Json:
    """The value with every text in it changed, the keys of mappings left as they are."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: over_texts(part, change) for key, part in value.items()}
    if isinstance(value, Sequence):
        return [over_texts(part, change) for part in value]
    return value
