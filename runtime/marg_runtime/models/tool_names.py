"""The names of tools on the wire: OpenAI and Anthropic allow 1 to 64 letters, digits, `_` and `-`.

A name of ours that is such a name goes as it is. Any other (`server/name`, a name in another script, a long one) goes
as what is legal of it with a digest behind. The wire name depends on the name alone, so it stays the same as the
history grows and the tools change, and a provider's prompt cache goes on being of use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

LONGEST_NAME = 64  # OpenAI's limit; Anthropic's is 128

_LEGAL = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_NAME}}}")
_DIGITS = 20  # of the digest: 80 bits
_ENCODED = re.compile(rf".*-x[0-9a-f]{{{_DIGITS}}}")


def wire_name(name: str) -> str:
    """A tool's name as the wire allows it; different names give different ones."""
    # A name that looks encoded is encoded too, so that no name can take the place of another's code.
    if _LEGAL.fullmatch(name) and not _ENCODED.fullmatch(name):
        return name
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    slug = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")
    return f"{slug[: LONGEST_NAME - _DIGITS - 2]}-x{digest}"


def names_back(names: Iterable[str]) -> dict[str, str]:
    """The names by their wire names."""
    return {wire_name(name): name for name in names}
