"""A red as plain text for the formats that hold text: its class first, so that the class can be read back from it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marg_reports.render.plain_text import shortened, visible
from marg_reports.report import TriagedRed

_FIRST = re.compile(r"\Ared: (?P<red_class>[a-z_]+)(?:\.(?P<sub>[a-z_]+))? ")
LONGEST_VALUE = 2_000
"""Characters of an expected or got value, or of one line of talk, in these texts; the JSON Lines record has all."""


def red_body(red: TriagedRed, *, limit: int) -> str:
    """At most `limit` characters: class, place, what differs, the evidence, the talk."""
    return shortened("\n".join(_lines(red)), limit)


def headline(red: TriagedRed) -> str:
    """The first line: class, confidence and rule, in a form that `class_of` reads."""
    verdict = red.verdict
    if red.label:
        return f"red: {red.red_class} (labelled by {visible(red.label.author)}: {visible(red.label.because)})"
    statistics = f", {verdict.statistics}" if verdict.statistics else ""
    return f"red: {verdict.name} ({verdict.confidence}, rule {verdict.rule}{statistics})"


def class_of(text: str) -> str | None:
    """The class that a text begins with, or None where it is none of ours."""
    found = _FIRST.match(text)
    return found["red_class"] if found else None


def message(red: TriagedRed) -> str:
    """One line: the check, and the first thing that differs."""
    first = red.differences[0] if red.differences else f"expected {red.expected}, got {red.got}"
    return visible(shortened(f"{red.kind}: {first}".replace("\n", " "), LONGEST_VALUE // 8))


def _lines(red: TriagedRed) -> Iterator[str]:
    place = red.place
    yield headline(red)
    in_turn = f", turn {visible(place.turn)}" if place.turn else ""
    yield f"{visible(place.where)}: {visible(place.scenario)}{in_turn}"
    yield f"check {visible(red.kind)}, owner {red.owner}"
    yield f"expected {_value(red.expected)}"
    yield f"got {_value(red.got)}"
    for difference in red.differences:
        yield f"difference {_value(difference)}"
    if red.verdict.command:
        yield f"decide it: {visible(red.verdict.command)}"
    if red.verdict.note:
        yield f"note: {visible(red.verdict.note)}"
    if red.verdict.nearest:
        yield f"nearest: {visible(red.verdict.nearest)}"
    for square in red.squares:
        at = f" at {square.commit}" if square.commit else ""
        yield f"evidence {square.cell}: {visible(square.says)}{at}"
    for turn in red.transcript:
        for line in turn.lines:
            yield f"{turn.number:>3} {line.by:<7} {_value(line.text)}"


def _value(text: str) -> str:
    return visible(shortened(text, LONGEST_VALUE))
