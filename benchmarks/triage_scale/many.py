"""Many reds from a few real ones: other places, other values, other talk, the same verdicts and evidence.

Every red of the ten thousand is drawn from its own number, so that none equals another, and the same reds come out
everywhere. The evidence and the rule trace are those that the real triage gave.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from marg_reports import Line
from marg_reports.report import CheckLine, Place, TranscriptTurn, TriagedRed, TriageReport, triage_report

REDS = 10_000
PASSED_A_RED = 3
MOST_TURNS = 8
"""Turns of talk that are put before a red's own."""

_THINGS = ("login", "printer", "invoice", "calendar", "export", "search", "upload", "badge", "projector", "backup")
_TROUBLES = ("fails", "is slow", "shows the wrong name", "asks twice", "stays empty", "ends at once", "loses rows")
_TIMES = ("since this morning", "after the update", "every Monday", "for two weeks", "now and then", "since März")
_AREAS = ("desk", "rooms", "orders", "travel", "leave", "access")
_WORD = re.compile(r"[A-Za-z]{5,}")


def many_reds(real: Sequence[TriagedRed], *, number: int = REDS) -> TriageReport:
    """A report of `number` reds, class by class as many as there are real ones of it, and three passed checks each."""
    made = [_Made(place=place, real=real[place % len(real)]) for place in range(number)]
    checks = [line for one in made for line in one.checks()]
    return triage_report(
        version="0.1.0", head="a1" * 20, base="b2" * 20, checks=tuple(checks), reds=tuple(one.red() for one in made)
    )


@dataclass(frozen=True, kw_only=True)
class _Made:
    """The red of a number, made from a real one."""

    place: int
    real: TriagedRed

    def red(self) -> TriagedRed:
        """The red, with its own words in place of the real one's."""
        drawn = random.Random(self.place)
        said: dict[str, str] = {}

        def worded(text: str) -> str:
            return _WORD.sub(lambda found: said.setdefault(found[0], _word(drawn, found[0])), text)

        talk = [
            TranscriptTurn(number=turn, lines=tuple(_talk(drawn))) for turn in range(1, drawn.randint(1, MOST_TURNS))
        ]
        own = [
            TranscriptTurn(
                number=len(talk) + number,
                lines=tuple(replace(line, text=f"{line.text} {_report(drawn)}") for line in turn.lines),
            )
            for number, turn in enumerate(self.real.transcript, start=1)
        ]
        return replace(
            self.real,
            place=self._at(self.real.place.turn, self.real.place.check),
            expected=worded(self.real.expected),
            got=worded(self.real.got),
            differences=tuple(worded(one) for one in self.real.differences),
            transcript=(*talk, *own),
        )

    def checks(self) -> Iterator[CheckLine]:
        """The red's check, one in seven tried twice, and those that passed beside it."""
        place = self.real.place
        yield CheckLine(place=self._at(place.turn, place.check), attempts=(False,) * (2 if self.place % 7 == 0 else 1))
        for number in range(PASSED_A_RED):
            yield CheckLine(place=self._at(f"before-{number}", "block"), attempts=(True,))

    def _at(self, turn: str, check: str) -> Place:
        area = _AREAS[self.place % len(_AREAS)]
        number = self.place // 2
        name = f"{_THINGS[number % len(_THINGS)]} {_TROUBLES[number % len(_TROUBLES)]}"
        return Place(
            path=f"scenarios/{area}/{name.replace(' ', '_')}_{number:04}.scenario.yaml",
            scenario=f"{name} [{self.place}]",
            turn=turn,
            check=check,
            line=7 + self.place % 90,
        )


def _talk(drawn: random.Random) -> Iterator[Line]:
    yield Line(by="user", text=_report(drawn))
    yield Line(by="model", text=f"I have written down: {_report(drawn)}")
    yield Line(by="block", text=f"Which {drawn.choice(_THINGS)} do you mean?")


def _report(drawn: random.Random) -> str:
    return " ".join(_sentence(drawn) for _ in range(drawn.randint(1, 3)))


def _sentence(drawn: random.Random) -> str:
    what = f"The {drawn.choice(_THINGS)} {drawn.choice(_TROUBLES)} {drawn.choice(_TIMES)}"
    return f"{what}, number {drawn.randint(1, 9999)}."


def _word(drawn: random.Random, word: str) -> str:
    """Another word in a word's place; one in three stays."""
    return word if drawn.random() < 1 / 3 else f"{drawn.choice(_THINGS)}{drawn.randint(1, 99)}"
