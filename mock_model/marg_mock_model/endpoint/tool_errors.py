"""How a tool's refusal travels in APIs that have no field for it: as the beginning of the result's text."""

from __future__ import annotations

from dataclasses import dataclass

from marg_runtime.model_results import ERROR_LEAD


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultText:
    """The text of a result, and whether it says that the tool refused."""

    text: str
    is_error: bool


def result_text(text: str) -> ResultText:
    """The result that a text is."""
    is_error = text.startswith(ERROR_LEAD)
    return ResultText(text=text.removeprefix(ERROR_LEAD), is_error=is_error)
