"""Text from files and arguments, made safe for a terminal."""

from __future__ import annotations

_CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]
_LINE_SEPARATORS = [0x2028, 0x2029]
_BIDI = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_SURROGATES = range(0xD800, 0xE000)


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


_ESCAPES = {code: _escape(code) for code in [*_CONTROLS, *_LINE_SEPARATORS, *_BIDI, *_SURROGATES]}
_ESCAPES_BUT_NEWLINE = {code: escape for code, escape in _ESCAPES.items() if code != 0x0A}


def printable(text: str, *, newlines: bool = False) -> str:
    r"""Give the text with every character that could steer a terminal written out, such as `\x1b`.

    Control characters, line separators, bidirectional marks and lone surrogates are escaped; line feeds too unless
    `newlines` is true.
    """
    return text.translate(_ESCAPES_BUT_NEWLINE if newlines else _ESCAPES)
