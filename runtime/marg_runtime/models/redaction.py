"""Keys stay out of every record and message: what is known to be secret is struck out wherever it turns up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from marg_runtime.scrub import REMOVED, scrub, secrets_of_url

STRUCK = REMOVED
LONGEST_TEXT = 200  # characters of a provider's message that are kept

_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|key)-[\w*.-]{6,}|\b(?:bearer|basic)\s+\S+", re.IGNORECASE)
_WORD = re.compile(r"[\w.:/-]{1,80}", re.ASCII)
_SHORTEST = 4  # characters; a shorter value would strike out half of every text
_SHORTEST_OPTION = 8
_SECRET_VARIABLES = ("KEY", "TOKEN", "SECRET", "HEADERS")


class Redaction:
    """Strikes out the values that it was made with, and whatever looks like a key."""

    def __init__(self, values: Iterable[str | None]) -> None:
        self._values = frozenset(value for value in values if value and len(value) >= _SHORTEST)

    def __repr__(self) -> str:
        return f"Redaction({len(self._values)} values)"

    def text(self, text: str) -> str:
        """A provider's words as they may be shown: one short line, with what is secret struck out."""
        text = _KEY_LIKE.sub(STRUCK, scrub(text, secrets=self._values))
        text = "".join(c if c.isprintable() else " " for c in text)
        return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"

    def word(self, word: object) -> str | None:
        """An id or a code as it may be recorded; None for what is no plain word, or holds a secret."""
        plain = str(word) if isinstance(word, str | int) and not isinstance(word, bool) else ""
        return plain if _WORD.fullmatch(plain) and self.text(plain) == plain else None


def redaction_of(
    *,
    key: str,
    url: str | None,
    headers: Mapping[str, str] | None,
    options: Mapping[str, object] | None,
    environ: Mapping[str, str],
    provider: str,
) -> Redaction:
    """The redaction of a model: of all that it was given, and of what its SDK takes from the environment."""
    given = (key, *(headers or {}).values(), *secrets_of_url(url), *secrets_of_options(options or {}))
    return Redaction([*given, *secrets_of_environment(environ, provider=provider)])


def secrets_of_options(options: object) -> Iterator[str]:
    """Every longer text in a body's options, at any depth: some servers take a key there."""
    if isinstance(options, str):
        yield from [options] if len(options) >= _SHORTEST_OPTION else []
    elif isinstance(options, Mapping):
        for value in options.values():
            yield from secrets_of_options(value)
    elif isinstance(options, Sequence):
        for value in options:
            yield from secrets_of_options(value)


def secrets_of_environment(environ: Mapping[str, str], *, provider: str) -> Iterator[str]:
    """What the variables of a provider's SDK hold that is secret, and what those of a proxy do.

    The SDKs send some of them by themselves: headers from `OPENAI_CUSTOM_HEADERS`, one a line, and their like.
    """
    for name, value in environ.items():
        upper = name.upper()
        if upper.startswith(f"{provider}_") and any(word in upper for word in _SECRET_VARIABLES):
            yield value
            yield from (line.partition(":")[2].strip() for line in value.splitlines())
        elif upper.endswith("_PROXY"):
            yield from secrets_of_url(value)
