"""Fields that several forms share: truth values and counts as they are written, patterns, mappings that must look."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from marg_mock_model.form import Form
from marg_mock_model.plain import resolve


def _truth(value: Any) -> Any:
    resolved = resolve(value)
    if not isinstance(resolved, bool):
        raise ValueError("expected true or false, without quotes")
    return resolved


def _count(value: Any) -> Any:
    resolved = resolve(value)
    if not isinstance(resolved, int) or isinstance(resolved, bool):
        raise ValueError("expected a whole number, without quotes")
    return resolved


def _yes(value: bool) -> bool:
    if not value:
        raise ValueError("expected true; leave the key out for anything else")
    return value


def check_pattern(pattern: str) -> str:
    """The pattern, if it is a regular expression; raises ValueError otherwise."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return pattern


# `yes`, `on` and "true" are text: a schema in an editor refuses them, and so does the loader.
Truth = Annotated[bool, BeforeValidator(_truth)]
Yes: TypeAlias = Annotated[bool, BeforeValidator(_truth), AfterValidator(_yes), WithJsonSchema({"const": True})]
Count = Annotated[int, Field(ge=0), BeforeValidator(_count)]
Milliseconds = Annotated[int, Field(gt=0), BeforeValidator(_count)]


class LookingForm(Form):
    """A mapping that names at least one thing to look at: a check that looks at nothing could not fail."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    @model_validator(mode="after")
    def _looks_at_something(self) -> LookingForm:
        if not self.model_fields_set:
            known = ", ".join(field.alias or name for name, field in type(self).model_fields.items())
            raise ValueError(f"it looks at nothing; give at least one of {known}")
        return self
