"""Chance that is the same on every run: a number drawn from a seed and the names of what it decides."""

from __future__ import annotations

from hashlib import blake2b

_BYTES = 8


def chance(*names: str | int) -> float:
    """A number of [0, 1), evenly spread over different names; the same names give the same number everywhere."""
    # Every name is led by its length and kind, so that ("a", "bc") and ("ab", "c") are drawn apart.
    text = "".join(f"{type(name).__name__}{len(str(name))}:{name}" for name in names)
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)
