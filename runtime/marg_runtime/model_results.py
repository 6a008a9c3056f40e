"""How a tool's result travels to a model where the API has no field for a refusal: as the beginning of its text."""

from __future__ import annotations

ERROR_LEAD = "error: "


def result_text(text: str, *, is_error: bool) -> str:
    """The text that carries a result."""
    return ERROR_LEAD + text if is_error else text
