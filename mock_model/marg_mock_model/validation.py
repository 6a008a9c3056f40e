"""A document read as a pydantic model, with one error that names all that does not fit."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from marg_mock_model.complaint import Complaint, complaints
from marg_mock_model.document import Document
from marg_runtime.errors import LocatedError

ModelT = TypeVar("ModelT", bound=BaseModel)

MAX_COMPLAINTS = 5
"""How many complaints one message names before it counts the rest."""


def validated(document: Document, model: type[ModelT]) -> ModelT:
    """The document as a pydantic model.

    Raises one LocatedError that names each complaint with its line, the value, and the nearest known key.
    """
    try:
        return model.model_validate(document.root)
    except ValidationError as error:
        found = complaints(error, model=model, root=document.root)
    raise _error(document, sorted(found, key=lambda complaint: document.line(*complaint.path)))


def _error(document: Document, found: list[Complaint]) -> LocatedError:
    first, *others = found
    parts = [first.text]
    parts += [f"Also at {_other(document, first, c)}: {c.text}" for c in others[: MAX_COMPLAINTS - 1]]
    if len(found) > MAX_COMPLAINTS:
        parts.append(f"And {len(found) - MAX_COMPLAINTS} more.")
    return document.error(" ".join(parts), *first.path)


def _other(document: Document, first: Complaint, other: Complaint) -> str:
    """Where another complaint stands: its line, with the file where that is not the first one's."""
    line, file = document.line(*other.path), document.file(*other.path)
    return f"line {line}" if file == document.file(*first.path) else f"{file}:{line}"
