"""How a request differs from the recorded one that is nearest to it, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from marg_mock_model.cassette.take import Take
from marg_mock_model.hint import show

MOST_DIFFERENCES = 5
AROUND = 20  # characters on each side of where two texts part


def miss_in_words(takes: Sequence[Take], *, method: str, path: str, body: Any) -> str:
    """Why no take answers a request."""
    beside = [take for take in takes if (take.method, take.path) == (method, path)]
    if not beside:
        known = ", ".join(sorted({f"{take.method} {take.path}" for take in takes})) or "nothing"
        return f"the cassette has no {method} {path}; it has {known}."
    near = min(beside, key=lambda take: distance(take.body, body))
    listed = list(differences(near.body, body))
    shown = "; ".join(listed[:MOST_DIFFERENCES])
    more = f"; and {len(listed) - MOST_DIFFERENCES} more" if len(listed) > MOST_DIFFERENCES else ""
    return f"no recorded request is this one; nearest is line {near.line} of the cassette, but for {shown}{more}."


def differences(recorded: Any, got: Any, *, at: str = "body") -> Iterator[str]:
    """The places where two JSON values differ, each in words."""
    if isinstance(recorded, Mapping) and isinstance(got, Mapping):
        for name in [*recorded, *(name for name in got if name not in recorded)]:
            if name not in got:
                yield f"{at}.{name} is missing, recorded {show(recorded[name])}"
            elif name not in recorded:
                yield f"{at}.{name} is {show(got[name])}, recorded none"
            else:
                yield from differences(recorded[name], got[name], at=f"{at}.{name}")
    elif isinstance(recorded, list) and isinstance(got, list):
        for number, (one, other) in enumerate(zip(recorded, got, strict=False)):
            yield from differences(one, other, at=f"{at}[{number}]")
        if len(recorded) != len(got):
            yield f"{at} has {len(got)} entries, recorded {len(recorded)}"
    elif isinstance(recorded, str) and isinstance(got, str) and recorded != got:
        yield f"{at}: {_parting(recorded, got)}"
    elif type(recorded) is not type(got) or recorded != got:
        yield f"{at} is {show(got)}, recorded {show(recorded)}"


def distance(one: Any, other: Any) -> float:
    """How far two JSON values are apart: 0 for the same, 1 for every part that is another."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        shared = sum(distance(one[name], other[name]) for name in one if name in other)
        return shared + len(set(one) ^ set(other))
    if isinstance(one, list) and isinstance(other, list):
        return sum(map(distance, one, other)) + abs(len(one) - len(other))
    if isinstance(one, str) and isinstance(other, str):
        return 1 - SequenceMatcher(None, one, other, autojunk=False).quick_ratio()
    return float(type(one) is not type(other) or one != other)


def _parting(recorded: str, got: str) -> str:
    """Where two texts part."""
    matcher = SequenceMatcher(None, recorded, got, autojunk=False)
    _, begin, end, other_begin, other_end = next(op for op in matcher.get_opcodes() if op[0] != "equal")
    was, now = recorded[begin:end], got[other_begin:other_end]
    around = recorded[max(0, begin - AROUND) : begin]
    return f"after {around!r} comes {now!r}, recorded {was!r}" if begin else f"begins {now!r}, recorded {was!r}"
