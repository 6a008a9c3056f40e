"""Forms that look at texts: white space, letter case, Unicode, agreed wordings."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})


def without_white_space(text: str) -> str:
    """Runs of white space as one space, none at the ends."""
    return " ".join(text.split())


def without_case(text: str) -> str:
    """Letters without their case."""
    return text.casefold()


def plain_unicode(text: str) -> str:
    """NFKC, with straight quotes and hyphens, and no character that has no width."""
    kept = "".join(letter for letter in unicodedata.normalize("NFKC", text) if unicodedata.category(letter) != "Cf")
    return kept.translate(_QUOTES)


def agreed_wording(text: str, wordings: Sequence[Sequence[str]]) -> str:
    """Each of the wordings that mean the same as the first of its list, longest first."""
    for same in wordings:
        for wording in sorted(same[1:], key=lambda one: (-len(one), one)):
            text = text.replace(wording, same[0])
    return text
