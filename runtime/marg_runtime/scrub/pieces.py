"""A text that came in pieces: a secret may stand in several of them, and in none whole."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from marg_runtime.scrub.text import scrub


def scrub_pieces(pieces: Sequence[str], *, secrets: Collection[str] = ()) -> tuple[str, ...]:
    """As many pieces, of the same text without its secrets; as they are where it has none.

    Where it has one, the whole text stands in the first piece and the others are empty: where the pieces of what is
    left would end is not known.
    """
    whole = "".join(pieces)
    clean = scrub(whole, secrets=secrets)
    return tuple(pieces) if clean == whole else (clean, *[""] * (len(pieces) - 1))
