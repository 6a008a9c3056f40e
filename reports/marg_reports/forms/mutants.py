"""Meaning-changing mutants of what a check saw: a check that still tells them apart is not blind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from marg_runtime.canonical import Json, canonical_json

OTHER_WORD = "something else entirely"


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A changed observation, and what was changed in it, in words."""

    what: str
    value: Json


def mutants(value: Json, *, passing: Sequence[Json] = ()) -> tuple[Mutant, ...]:
    """Mutants of an observation, each of which no form gives back: values replaced, negated, dropped, doubled, added.

    passing: observations that mean the same; a mutant that equals one of them is none. An observation with too little
    in it to change gives few mutants; the classifier wants five.
    """
    same = {canonical_json(value), *map(canonical_json, passing)}
    found: dict[str, Mutant] = {}
    for mutant in _all(value, "it"):
        found.setdefault(canonical_json(mutant.value), mutant)
    return tuple(mutant for text, mutant in found.items() if text not in same)


def _all(value: Json, path: str) -> Iterator[Mutant]:
    yield Mutant(what=f"{path} is gone", value=None)
    if isinstance(value, Mapping):
        yield from _mapping(value, path)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield from _list(value, path)
    else:
        yield from _leaf(value, path)


def _mapping(value: Mapping[str, Json], path: str) -> Iterator[Mutant]:
    for key in sorted(value):
        yield Mutant(what=f"{path}.{key} is dropped", value={other: value[other] for other in value if other != key})
        for inner in _all(value[key], f"{path}.{key}"):
            yield Mutant(what=inner.what, value={**value, key: inner.value})


def _list(value: Sequence[Json], path: str) -> Iterator[Mutant]:
    parts = list(value)
    yield Mutant(what=f"{path} has one more", value=[*parts, OTHER_WORD])
    for place, part in enumerate(parts):
        yield Mutant(what=f"{path}[{place}] is dropped", value=[*parts[:place], *parts[place + 1 :]])
        yield Mutant(what=f"{path}[{place}] is doubled", value=[*parts[: place + 1], *parts[place:]])
        for inner in _all(part, f"{path}[{place}]"):
            yield Mutant(what=inner.what, value=[*parts[:place], inner.value, *parts[place + 1 :]])


def _leaf(value: Json, path: str) -> Iterator[Mutant]:
    if isinstance(value, bool):
        yield Mutant(what=f"{path} is {not value}", value=not value)
    elif isinstance(value, int | float):
        yield Mutant(what=f"{path} is one more", value=value + 1)
        yield Mutant(what=f"{path} is negative", value=-value - 1)
    elif isinstance(value, str):
        yield Mutant(what=f"{path} says something else", value=OTHER_WORD)
        yield Mutant(what=f"{path} is denied", value=f"not {value}")
        yield Mutant(what=f"{path} is empty", value="")
        yield Mutant(what=f"{path} is cut in half", value=value[: len(value) // 2])
        yield Mutant(what=f"{path} goes on", value=f"{value} and more")
    else:
        yield Mutant(what=f"{path} is there", value=OTHER_WORD)
