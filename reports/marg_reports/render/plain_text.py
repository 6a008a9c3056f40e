"""Text that a report can hold: what no page, terminal or XML may be handed is written as what it is."""

from __future__ import annotations

import unicodedata

CUT_MARK = "[... {cut} more characters]"
_KEPT = "\n\t"
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Joiners make emoji and the letters of several scripts; they change no direction and hide no word.
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    """The text with control, direction and unassigned characters and line separators as escapes: ESC as `\\x1b`."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_LETTERS)


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters of a text, with a mark that says how many were cut."""
    if len(text) <= limit:
        return text
    mark = CUT_MARK.format(cut=len(text) - limit)
    kept = max(0, limit - len(mark) - 1)
    return f"{text[:kept]} {CUT_MARK.format(cut=len(text) - kept)}"[: max(limit, len(mark))]


class _Letters(dict[int, str]):
    """What is written for a letter, worked out when it is first met; a text of a megabyte has few different ones."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        self[code] = letter if _is_plain(letter) else _escaped(letter)
        return self[code]


_LETTERS = _Letters()


def _is_plain(letter: str) -> bool:
    return letter in _KEPT or letter in _JOINERS or unicodedata.category(letter) not in _HIDDEN


def _escaped(letter: str) -> str:
    code = ord(letter)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
