"""The folders that a module of a user's own is looked for in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def on_path(folder: Path) -> Iterator[None]:
    """Look for modules in a folder too, after the others, while the block runs."""
    before = list(sys.path)
    if str(folder) not in before:
        sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path[:] = before
