"""The field of a form that takes any JSON value."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, JsonValue

from marg_mock_model.plain import resolve

FreeValue = Annotated[JsonValue, BeforeValidator(resolve)]
"""A pydantic field that takes any JSON value, with unquoted scalars resolved."""
