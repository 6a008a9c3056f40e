"""Texts that are read in the place of files: how a change is tried before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_TEXTS: ContextVar[Mapping[Path, str] | None] = ContextVar("_TEXTS", default=None)


@contextmanager
def read_instead(texts: Mapping[Path, str]) -> Iterator[None]:
    """While the block runs, `read_document` takes these texts for their files, whatever stands in them."""
    token = _TEXTS.set({path.resolve(): text for path, text in texts.items()})
    try:
        yield
    finally:
        _TEXTS.reset(token)


def file_bytes(path: Path) -> bytes:
    """What a file holds, or what is read in its place; raises OSError where it cannot be read."""
    texts = _TEXTS.get()
    text = texts.get(path.resolve()) if texts is not None else None
    return path.read_bytes() if text is None else text.encode()
