"""The pieces that a text is streamed in."""

from __future__ import annotations

import re

# A word with the space before it, long words in pieces: what reads the stream must cope with a sentence in parts.
_PIECE = re.compile(r"\s*\S{1,12}|\s+")


def pieces(text: str) -> list[str]:
    """A text in the pieces that it is streamed in; joined they are the text."""
    return _PIECE.findall(text)
