"""The folder `.marg`, in which records, reports and cells are kept: git is told to leave it alone."""

from __future__ import annotations

from pathlib import Path

from marg_runtime.errors import UsageError

KEPT = Path(".marg")


def kept_folder() -> Path:
    """The folder, made where it is missing, with a `.gitignore` of its own.

    What git would take belongs to the head: unignored, each cell would be a part of the code that the next one runs.
    Raises UsageError where nothing can be written.
    """
    ignore = KEPT / ".gitignore"
    try:
        KEPT.mkdir(exist_ok=True)
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{str(ignore)!r} cannot be written: {error.strerror or error}; triage in a folder that can be written to"
        ) from error
    return KEPT
