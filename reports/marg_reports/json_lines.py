"""Files of JSON Lines, read for every kind of record: what cannot be read is refused with its file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from marg_reports.errors import RecordError
from marg_runtime.canonical import Json, canonical_json
from marg_runtime.harmless_json import harmless_json
from marg_runtime.scrub import scrub_cut


def json_line(value: Json) -> str:
    """The canonical JSON of a value as a line of a file, in ASCII where other letters would do harm.

    It reads back as the same value, but for lone surrogates, which no UTF-8 holds and few readers take: they stand
    there as the text of their escape.
    """
    return harmless_json(canonical_json(value))


def read_lines(path: Path, *, what: str, make: str) -> list[str]:
    """The lines of a file. what: the record that it should be, for errors; make: the command that writes one.

    Lines end at a line feed alone: U+2028 and the like stand unescaped in JSON. Raises RecordError for what is not
    there, is a folder, cannot be read or is no UTF-8.
    """
    name = repr(str(path))
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise RecordError(f"there is no {what} {name}; write one first: {make}") from error
    except IsADirectoryError as error:
        raise RecordError(f"{name} is a folder, not a {what}; name a file in it, or write one: {make}") from error
    except OSError as error:
        raise RecordError(f"{name} cannot be read as a {what}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{name} is no {what}: byte {error.start + 1} is no UTF-8; write one: {make}") from error
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def json_object(line: str, *, where: str) -> dict[str, Any]:
    """The JSON object of a line; raises RecordError with `where`, its `file:line`, for anything else."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: no JSON: {error}") from error
    if not isinstance(found, dict):
        raise RecordError(f"{where}: no JSON object: {scrub_cut(line, 60)!r}")
    return found
