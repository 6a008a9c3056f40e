"""Paths as they are shown and put on record."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

_MOST_KEPT = 4096


def shown_path(path: Path) -> str:
    """A path from the present folder where it lies below it, else the whole of it; always with `/`."""
    return _shown(str(path), os.getcwd())


@lru_cache(maxsize=_MOST_KEPT)
def _shown(path: str, here: str) -> str:
    """Kept, since every link on the way is looked at: a replay shows the same few files for every task and turn."""
    resolved, folder = Path(path).resolve(), Path(here).resolve()
    return (resolved.relative_to(folder) if resolved.is_relative_to(folder) else resolved).as_posix()
