"""A cassette: the recorded exchanges with a model's API, a line of JSON each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from marg_mock_model.cassette.take import Take
from marg_mock_model.endpoint.json_text import json_bytes
from marg_runtime.errors import LocatedError, UsageError

FORMAT = 1
HEAD = {"cassette": FORMAT}


class CassetteWriter:
    """A cassette that is written as its exchanges come: each line at once, so that nothing is half there."""

    def __init__(self, path: Path, *, append: bool = False) -> None:
        """Open the file; raises UsageError where it exists already, or cannot be written."""
        try:
            exists = path.exists() and path.stat().st_size > 0
            if exists and not append:
                raise UsageError(f"the cassette {str(path)!r} exists; name another, or say --append to go on with it.")
            if exists:
                read_cassette(path)
            self._file = path.open("ab")
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"the cassette {str(path)!r} cannot be written: {reason}; name another.") from None
        if not exists:
            self._write(HEAD)

    def add(self, take: Take) -> None:
        """Write one exchange."""
        self._write(take.record())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, value: Any) -> None:
        self._file.write(json_bytes(value) + b"\n")
        self._file.flush()


def read_cassette(path: Path | str) -> tuple[Take, ...]:
    """The takes of a cassette, in the order in which they were recorded.

    Raises UsageError for a file that cannot be read, LocatedError for a line that is no take.
    """
    try:
        # A file's lines, for a text has more of them: U+2028, which JSON lets stand, ends one in `splitlines`.
        with Path(path).open(encoding="utf-8") as file:
            lines = list(file)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the cassette {str(path)!r} cannot be read: {error}; check the path.") from None
    values = [_value(text, path=str(path), line=number) for number, text in enumerate(lines, start=1)]
    if not values or values[0] != HEAD:
        raise LocatedError('the first line of a cassette is {"cassette":1}; record one.', path=str(path), line=1)
    return tuple(_take(value, path=str(path), line=number) for number, value in enumerate(values[1:], start=2))


def _value(text: str, *, path: str, line: int) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise LocatedError(f"not JSON: {error}; record the cassette anew.", path=path, line=line) from None


def _take(value: Any, *, path: str, line: int) -> Take:
    try:
        request, answer = value["request"], value["answer"]
        return Take(
            method=str(request["method"]),
            path=str(request["path"]),
            body=request["body"],
            status=int(answer["status"]),
            headers={str(name): str(text) for name, text in answer["headers"].items()},
            chunks=tuple(str(chunk) for chunk in answer["chunks"]),
            line=line,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise LocatedError(
            "this line is no recorded exchange; record the cassette anew.", path=path, line=line
        ) from None
