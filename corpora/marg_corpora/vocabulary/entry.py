"""The entries of a vocabulary: each pattern of a role and each word of a list, as the owner of the file edits them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass

from marg_runtime.reading.schema import ROLES
from marg_runtime.reading.units import Speller
from marg_runtime.reading.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Entry:
    """One entry and where it stands: "all.confirm", "dialects.offer.praise" or "lists.good"."""

    place: str
    text: str

    @property
    def role(self) -> str:
        """The role of a pattern, or the name of the list."""
        return self.place.rpartition(".")[2]

    @property
    def table(self) -> str:
        """The table that it stands in: "all", "lists" or "dialects.offer"."""
        return self.place.rpartition(".")[0]

    def __str__(self) -> str:
        return f"{self.text!r} ({self.place})"


def pattern_entries(vocabulary: Vocabulary, *, kind: str) -> Iterator[Entry]:
    """Yield the patterns that read replies to one kind of question: the dialect's own, then those of every dialect."""
    tables = {f"dialects.{kind}": vocabulary.data.get("dialects", {}).get(kind, {}), "all": vocabulary.data["all"]}
    for table, roles in tables.items():
        for role in ROLES:
            for text in roles.get(role, ()):
                yield Entry(place=f"{table}.{role}", text=text)


def list_entries(vocabulary: Vocabulary) -> Iterator[Entry]:
    """Yield the entries of every list."""
    for name, texts in vocabulary.data.get("lists", {}).items():
        for text in texts:
            yield Entry(place=f"lists.{name}", text=text)


def without(vocabulary: Vocabulary, entry: Entry) -> Vocabulary:
    """Give the vocabulary without one entry in its patterns and lists.

    All that was derived from its words together (which of them are never nouns of a question, say) stays as it is, and
    so does the digest: one thing changes at a time, and taking out each entry in turn stays cheap.

    Raises KeyError where the entry is not in it.
    """
    data = dict(vocabulary.data)
    *tables, role = entry.place.split(".")
    table = data
    # Only the tables on the way to the entry are copied; the rest is shared.
    for name in tables:
        table[name] = dict(table[name])
        table = table[name]
    texts = list(table[role])
    if entry.text not in texts:
        raise KeyError(str(entry))
    texts.remove(entry.text)
    table[role] = texts
    less = copy.copy(vocabulary)
    object.__setattr__(less, "data", data)
    object.__setattr__(less, "_dialects", {})
    return less


def speller_of(vocabulary: Vocabulary) -> Speller:
    """Give what turns entries into units; their words are written apart, also where replies are not."""
    return Speller(casing=vocabulary.speller.casing, rewrites=vocabulary.speller.rewrites)


def line_of(vocabulary: Vocabulary, entry: Entry) -> int:
    """Find the line of the file on which an entry stands: the first one after its table that holds it in quotes."""
    lines = vocabulary.source.text.splitlines()
    table = entry.place.rpartition(".")[0]
    start = next((number for number, line in enumerate(lines) if line.strip() == f"[{table}]"), 0)
    quoted = f'"{entry.text}"'
    found = [number for number, line in enumerate(lines[start:], start + 1) if quoted in line]
    return found[0] if found else start + 1
