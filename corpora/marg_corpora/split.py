"""Splits by reply hash: the same reply is always on the same side, in every corpus, so nothing leaks across."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from marg_corpora.record import Record

Split = Literal["tuning", "held_out"]
SPLITS: tuple[str, ...] = get_args(Split)

HELD_OUT_SHARE = 0.4
"""The share of reply strings that is held out: large enough that a rate of a few percent is seen on it."""

_SALT = "marg split of replies, version 1:"


def split_of(reply: str, *, held_out: float = HELD_OUT_SHARE) -> Split:
    """Say on which side of the split a reply is.

    Case, spacing, punctuation and Unicode form do not count, so "Yes, please!" and "yes please" are on one side.
    """
    digest = hashlib.sha256((_SALT + normalised(reply)).encode("utf-8", "surrogatepass")).digest()
    return "held_out" if int.from_bytes(digest[:8], "big") < held_out * 2**64 else "tuning"


def of_split(records: Iterable[Record], *, split: Split | None) -> Iterator[Record]:
    """Yield the records on one side of the split, or all of them where no side is given."""
    return (record for record in records if split is None or split_of(record.reply) == split)


def normalised(reply: str) -> str:
    """Give a reply in the form that is hashed: NFKC, casefolded, punctuation and spacing made one space."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", reply).casefold())
    kept = (" " if unicodedata.category(char)[0] in "PZC" else char for char in folded)
    return " ".join("".join(kept).split())
