"""Files that are written whole or not at all, several together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from marg_runtime.errors import UsageError


def write_whole(texts: Mapping[Path, str]) -> None:
    """Write each text to its file: all to temporary files beside their places first, then renamed.

    Raises UsageError where a file cannot be written; what was there before stays then.
    """
    parts: dict[Path, Path] = {}
    try:
        for path, text in texts.items():
            part = path.with_name(f".{path.name}.{os.getpid()}.part")
            parts[part] = path
            with part.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        for part, path in parts.items():
            part.replace(path)
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror or error}; name another file") from error
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def check_writable(*paths: Path | None) -> None:
    """Raise UsageError for the first path that no file can be written to, before any work is done for it."""
    for path in paths:
        if path is not None and (path.is_dir() or not path.parent.is_dir()):
            what = "is a folder" if path.is_dir() else f"lies in {str(path.parent)!r}, which is no folder"
            raise UsageError(f"{str(path)!r} {what}; name a file in a folder that is there")
