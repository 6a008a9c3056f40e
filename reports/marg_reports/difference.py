"""What differs between an expected and a got value, one line a difference, by the path to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from marg_runtime.canonical import Json, canonical_json

NOTHING = "(nothing)"


def differences(expected: Json, got: Json) -> tuple[str, ...]:
    """Lines such as `draft.title: expected "a", got "b"`; none where both are the same JSON."""
    return tuple(_walk(expected, got, ""))


def _walk(expected: Json, got: Json, path: str) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        yield from _mappings(expected, got, path)
    elif _is_list(expected) and _is_list(got):
        yield from _lists(expected, got, path)
    elif canonical_json(expected) != canonical_json(got):
        yield _line(path, canonical_json(expected), canonical_json(got))


def _mappings(expected: Mapping[str, Json], got: Mapping[str, Json], path: str) -> Iterator[str]:
    for key in sorted({*expected, *got}):
        place = f"{path}.{key}" if path else key
        if key not in got:
            yield _line(place, canonical_json(expected[key]), NOTHING)
        elif key not in expected:
            yield _line(place, NOTHING, canonical_json(got[key]))
        else:
            yield from _walk(expected[key], got[key], place)


def _lists(expected: Json, got: Json, path: str) -> Iterator[str]:
    assert isinstance(expected, Sequence)
    assert isinstance(got, Sequence)
    for number in range(max(len(expected), len(got))):
        place = f"{path}[{number}]"
        if number >= len(got):
            yield _line(place, canonical_json(expected[number]), NOTHING)
        elif number >= len(expected):
            yield _line(place, NOTHING, canonical_json(got[number]))
        else:
            yield from _walk(expected[number], got[number], place)


def _is_list(value: Json) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _line(path: str, expected: str, got: str) -> str:
    where = f"{path}: " if path else ""
    return f"{where}expected {expected}, got {got}"
