"""One line of a corpus file, turned into a record or into an error that says where and what."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from marg_corpora.errors import CorpusError
from marg_corpora.record import Record

SHOWN_VALUE = 60
"""Characters of a wrong value that an error repeats."""


Model = TypeVar("Model", bound=BaseModel)


def parse_line(line: bytes, *, path: str, number: int) -> Record:
    """Read one line of a corpus, with or without its end of line.

    Raises CorpusError, naming `path` and the line `number`, for a blank line, bad UTF-8, bad JSON, a missing key, a
    value of the wrong type, an unknown label or kind, and a key that looks like a misspelt one.
    """
    return parse_model(line, Record, path=path, number=number)


def parse_model(line: bytes, model: type[Model], *, path: str, number: int) -> Model:
    """Read one line of JSON Lines as a record of any kind. Raises CorpusError like `parse_line`."""
    if not line.strip():
        raise CorpusError("the line is blank; remove it, one record a line", path=path, line=number)
    try:
        record = model.model_validate_json(line)
    except ValidationError as error:
        raise CorpusError(_complaint(line, error, model), path=path, line=number) from None
    if record.model_extra:
        _refuse_misspelt(record, path=path, number=number)
    return record


def _complaint(line: bytes, error: ValidationError, model: type[BaseModel]) -> str:
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return _broken_json(line, first)
    if first["type"] in ("model_type", "model_attributes_type"):
        return f"a record is a JSON object; got {_shown(first['input'])}"
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        return f"key {key!r} is missing; a record needs {_required(model)}"
    if first["type"] == "literal_error":
        return f"unknown {key} {_shown(first['input'])}; expected {first.get('ctx', {}).get('expected')}"
    return f"key {key!r}: {first['msg'].lower()}; got {_shown(first['input'])}"


def _broken_json(line: bytes, first: ErrorDetails) -> str:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start + 1} of the line ({error.reason}); save the file as UTF-8"
    detail = str(first.get("ctx", {}).get("error", first["msg"]))
    return f"not JSON: {detail}; expected one JSON object on a line"


def _refuse_misspelt(record: BaseModel, *, path: str, number: int) -> None:
    """Foreign keys are welcome; one that is nearly the name of an optional key that is absent is a slip of the pen."""
    absent = [key for key in type(record).model_fields if key not in record.model_fields_set]
    for key in record.model_extra or {}:
        near = get_close_matches(key, absent, n=1, cutoff=0.75)
        if near:
            raise CorpusError(f"unknown key {key!r}; did you mean {near[0]!r}?", path=path, line=number)


def _required(model: type[BaseModel]) -> str:
    return ", ".join(key for key, field in model.model_fields.items() if field.is_required())


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_VALUE else f"{text[: SHOWN_VALUE - 1]}…"
