"""The words that complaints share: the nearest known word, and a value as it is shown."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Sequence

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 100
_short.maxlevel = 3


def nearest(word: str, known: Sequence[str]) -> str:
    """A hint at the known word nearest to a misspelt one; where none is near, the known words themselves."""
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"known here: {', '.join(repr(k) for k in known)}." if known else "remove it."


def show(value: object) -> str:
    """The repr of a value, long ones shortened."""
    return _short.repr(value)
