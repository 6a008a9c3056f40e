"""Paths as they are shown and put on record."""

from __future__ import annotations

from pathlib import Path


def shown_path(path: Path) -> str:
    """A path from the present folder where it lies below it, else the whole of it; always with `/`."""
    resolved, here = path.resolve(), Path.cwd().resolve()
    return (resolved.relative_to(here) if resolved.is_relative_to(here) else resolved).as_posix()
