"""A red as text: where it is written, what was expected, what came, the difference, and the talk up to there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from marg_reports.difference import differences
from marg_reports.record import Line, Red
from marg_runtime.canonical import Json, canonical_json

_MARKS = {"user": "user   ", "model": "model  ", "runtime": "runtime", "block": "block  "}


def red_text(red: Red) -> str:
    """The whole explanation of a red, several lines, with nothing interpreted in what people or models said."""
    return "\n".join((*_lines(red), *_transcript(red)))


def reds_text(reds: Sequence[Red]) -> str:
    """All reds of a run; those of one turn stand together, with their transcript once."""
    parts = []
    for _, group in groupby(reds, key=lambda red: (red.scenario.path, red.scenario.title, red.turn)):
        *others, last = group
        parts += ["\n".join(_lines(red)) for red in others]
        parts.append(red_text(last))
    return "\n\n".join(parts)


def _lines(red: Red) -> Iterator[str]:
    check = red.check
    yield f"{red.place}: {red.scenario.title}"
    yield f"  turn {red.turn + 1} ({red.turn_record.id}), check {check.id}, owner {check.owner}"
    yield f"  expected    {canonical_json(check.expected)}"
    yield f"  got         {canonical_json(check.got)}"
    # Two texts or numbers are their own difference, and stand above already.
    nested = any(_nested(value) for value in (check.expected, check.got))
    for number, difference in enumerate(differences(check.expected, check.got) if nested else ()):
        yield f"  {'difference' if number == 0 else '':<10}  {difference}"


def _nested(value: Json) -> bool:
    return isinstance(value, Mapping | Sequence) and not isinstance(value, str)


def _transcript(red: Red) -> Iterator[str]:
    yield "  transcript"
    for number, turn in enumerate(red.scenario.turns[: red.turn + 1]):
        for line in turn.transcript:
            yield from _spoken(number, line)


def _spoken(turn: int, line: Line) -> Iterator[str]:
    first, *rest = line.text.split("\n")
    yield f"    {turn + 1:>2}  {_MARKS[line.by]}  {first}"
    for more in rest:
        yield f"                 {more}"
