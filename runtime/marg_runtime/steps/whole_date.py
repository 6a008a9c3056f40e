"""A date as a form takes it: YYYY-MM-DD and nothing else."""

from __future__ import annotations

import re
from datetime import date

_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def whole_date(text: str) -> date | None:
    """The date, or None where the text is none. Python's own parser takes "20260102" and "2026-W01-5" too."""
    if not _FORM.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
