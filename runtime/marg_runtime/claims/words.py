"""The words in which a language says that a record was created, or was not, as patterns kept as data.

A language is a file in `data`: `fragments` are patterns with a name, and every pattern may hold `{name}`. A sentence is
matched clause by clause, letters folded.

| key | what its patterns say |
|---|---|
| `success` | it was done, in a tense that says so wherever it stands |
| `state` | it is done, which a condition anywhere in the sentence makes a prospect |
| `whole` | the whole clause says it, without a verb |
| `denial` | it was not done, or could not be |
| `hedge` | before a claim, in its clause: a condition, a negation, a prospect, somebody's words |
| `condition` | what makes a prospect of a state |
| `elsewhere` | the clause speaks of another record than the draft's |
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from marg_runtime.errors import UsageError

_NEVER = re.compile(r"(?!)")
_NAME = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, kw_only=True)
class ClaimWords:
    """The patterns of one language, one for each key of the module's table, matched against a clause in folded letters;
    one that is left out matches nothing."""

    success: re.Pattern[str] = _NEVER
    state: re.Pattern[str] = _NEVER
    whole: re.Pattern[str] = _NEVER
    denial: re.Pattern[str] = _NEVER
    hedge: re.Pattern[str] = _NEVER
    condition: re.Pattern[str] = _NEVER
    elsewhere: re.Pattern[str] = _NEVER


@cache
def claim_words(language: str) -> ClaimWords:
    """The patterns of a language; of one that has no file, patterns that match nothing.

    Raises UsageError for a file that does not hold together, which only a language of one's own can have.
    """
    file = resources.files(__package__) / "data" / f"{language}.toml"
    if not re.fullmatch(r"[a-z]{2,3}", language) or not file.is_file():
        return ClaimWords()
    return parse_words(file.read_text(encoding="utf-8"), name=f"{language}.toml")


def claim_languages() -> tuple[str, ...]:
    """The languages in which claims are known, in order."""
    files = (resources.files(__package__) / "data").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def parse_words(text: str, *, name: str) -> ClaimWords:
    """The patterns of a file's text. Raises UsageError for an unknown key or fragment, or a pattern that is none."""
    tables = tomllib.loads(text)
    fragments: dict[str, str] = {}
    for key, pattern in tables.pop("fragments", {}).items():
        fragments[key] = f"(?:{_filled(pattern, fragments, name)})"
    known = set(ClaimWords.__dataclass_fields__)
    if unknown := sorted(set(tables) - known):
        raise UsageError(f"{name}: {unknown[0]!r} is no key of claim words; there are {', '.join(sorted(known))}")
    return ClaimWords(**{key: _compiled(patterns, fragments, name) for key, patterns in tables.items()})


def _compiled(patterns: Sequence[Any], fragments: dict[str, str], name: str) -> re.Pattern[str]:
    filled = [_filled(str(pattern), fragments, name) for pattern in patterns]
    try:
        return re.compile("|".join(f"(?:{pattern})" for pattern in filled)) if filled else _NEVER
    except re.error as error:
        raise UsageError(f"{name}: {error} in one of {list(patterns)!r}") from error


def _filled(pattern: str, fragments: dict[str, str], name: str) -> str:
    def fragment(match: re.Match[str]) -> str:
        if match.group(1) not in fragments:
            raise UsageError(f"{name}: no fragment {match.group(1)!r} before {pattern!r}")
        return fragments[match.group(1)]

    return _NAME.sub(fragment, pattern)
