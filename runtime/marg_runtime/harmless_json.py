"""JSON as text that terminals, editors and diffs bear: the same value, with what would do harm as escapes."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
# Control characters, marks of direction and separators of lines: whole in JSON, and a terminal's or a diff's trouble.
_TROUBLE = re.compile("[\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")


def harmless_json(text: str) -> str:
    """A JSON text with what would do harm on a terminal as escapes; lone surrogates as the text of theirs.

    It reads back as the same value, but for lone surrogates, which no UTF-8 holds and few readers take.
    """
    text = _SURROGATE.sub(lambda found: f"\\\\u{ord(found[0]):04x}", text)
    return _TROUBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
