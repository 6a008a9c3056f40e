"""A finding about a vocabulary, and the shape of its rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

Rule = Literal["duplicate", "two_classes", "never_counts", "shadow", "other_language", "double_meaning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that the owner of a vocabulary should look at.

    `error`: a reply can be read the wrong way round. `warning`: an entry does not do what it seems to. `note`: what an
    entry does beyond its own words, on purpose or not. `line` is the line in the file.
    """

    severity: Severity
    rule: Rule
    line: int
    message: str
