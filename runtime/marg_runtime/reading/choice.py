"""Reads which option of a choice question a whole message names (labels before any dialect)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from marg_runtime.reading.echo import Echo, longest_first
from marg_runtime.reading.message import Message, Segment, read_message
from marg_runtime.reading.question import Question
from marg_runtime.reading.reading import Reading, ReadToken
from marg_runtime.reading.units import Units
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.words import MARKS


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionNames:
    """What names an option: for each written form the places of the options that it names."""

    places: Mapping[tuple[str, ...], frozenset[int]]
    echo: Echo = field(default_factory=Echo)


def read_choice(reply: str, question: Question, vocabulary: Vocabulary, reader: str) -> Reading:
    """Return a reading of kind "choice" where the whole message names one option and nothing else, else content."""
    names = _names(question, vocabulary)
    automaton = vocabulary.dialect("choice")
    units = vocabulary.speller.units(reply, known=automaton.words)
    message = read_message(units.units, automaton=automaton, echo=names.echo)
    named = [_named(message, segment.start, segment.end, names) for segment in message.segments]
    stopping = tuple(
        f"{message.text_of(segment)!r} is more than the choice of an option"
        for segment, places in zip(message.segments, named, strict=True)
        if not places and segment.role not in ("polite", "filler")
    )
    if question.many:
        return _several(reply, question, vocabulary, reader, message=message, named=named, units=units)
    chosen = [places for places in named if places]
    tokens = _tokens(message, named, reply, units)
    if not stopping and chosen and len(frozenset.intersection(*chosen)) == 1:
        option = question.options[next(iter(frozenset.intersection(*chosen)))]
        why: tuple[str, ...] = (f"the whole message names the option {option.label!r}",)
        return Reading(
            kind="choice", reader=reader, language=vocabulary.language, tokens=tokens, why=why, choice=option.value
        )
    why = stopping or ("it names no option" if not chosen else "it names more than one option",)
    return Reading(kind="content", reader=reader, language=vocabulary.language, tokens=tokens, why=why)


def _several(
    reply: str,
    question: Question,
    vocabulary: Vocabulary,
    reader: str,
    *,
    message: Message,
    named: list[frozenset[int]],
    units: Units,
) -> Reading:
    """Read a question that takes several options: the whole message names options, one by one, and nothing else."""
    joints, names = _joints(vocabulary), _names(question, vocabulary)
    named = [
        places or _joined(message, segment, names, joints)
        for places, segment in zip(named, message.segments, strict=True)
    ]
    stopping: list[str] = []
    last: tuple[str, ...] = ()
    for segment, places in zip(message.segments, named, strict=True):
        words, bare = message.text_of(segment), _bare(message, segment)
        if len(places) > 1:
            stopping.append(f"{words!r} names more than one option")
        elif not places and segment.role not in ("polite", "filler") and bare not in joints:
            stopping.append(f"{words!r} is more than the choice of options")
        last = bare
    if last in joints:
        stopping.append("it ends before its last option")
    chosen = sorted(frozenset[int]().union(*named))
    tokens = _tokens(message, named, reply, units)
    if stopping or not chosen:
        why = tuple(stopping) or ("it names no option",)
        return Reading(kind="content", reader=reader, language=vocabulary.language, tokens=tokens, why=why)
    labels = ", ".join(repr(question.options[place].label) for place in chosen)
    return Reading(
        kind="choice",
        reader=reader,
        language=vocabulary.language,
        tokens=tokens,
        why=(f"the whole message names {labels}",),
        choices=tuple(question.options[place].value for place in chosen),
    )


def _joined(
    message: Message, segment: Segment, names: OptionNames, joints: frozenset[tuple[str, ...]]
) -> frozenset[int]:
    """The options of a segment that begins with a joint: "und Hoch" may have been read as one phrase."""
    units = _bare(message, segment)
    return names.places.get(units[1:], frozenset()) if units[:1] in joints else frozenset()


def _bare(message: Message, segment: Segment) -> tuple[str, ...]:
    return tuple(unit for unit in message.units[segment.start : segment.end] if unit not in MARKS)


@lru_cache(maxsize=64)
def _joints(vocabulary: Vocabulary) -> frozenset[tuple[str, ...]]:
    """What may stand between two options: the words of the language, or a sign."""
    words = vocabulary.data.get("choice", {}).get("joint", ())
    return frozenset({("&",), ("+",), *(vocabulary.speller.spell(word) for word in words)})


def _named(message: Message, start: int, end: int, names: OptionNames) -> frozenset[int]:
    units = tuple(unit for unit in message.units[start:end] if unit not in MARKS)
    return names.places.get(units, frozenset())


def _tokens(message: Message, named: list[frozenset[int]], reply: str, units: Units) -> tuple[ReadToken, ...]:
    optional = {
        units.owner[unit]
        for segment, places in zip(message.segments, named, strict=True)
        if places
        for unit in range(segment.start, segment.end)
    }
    return tuple(
        token.replaced(token_class="option") if index in optional else token
        for index, token in enumerate(message.tokens(reply, units))
    )


@lru_cache(maxsize=512)
def _names(question: Question, vocabulary: Vocabulary) -> OptionNames:
    places: dict[tuple[str, ...], set[int]] = {}
    for place, option in enumerate(question.options):
        for written in (option.label, *option.synonyms, *((option.value,) if option.named_by_value else ())):
            units = tuple(unit for unit in vocabulary.speller.norms(written) if unit not in MARKS)
            if units:
                places.setdefault(units, set()).add(place)
    for units, place in _ordinals(question, _numbers(places), vocabulary).items():
        # An option that is called "2" is that option, not the second one.
        places.setdefault(units, {place})
    frozen = {units: frozenset(found) for units, found in places.items()}
    values: dict[str, list[tuple[str, ...]]] = {}
    for units in frozen:
        values.setdefault(units[0], []).append(units)
    by_first = {first: longest_first(group) for first, group in values.items()}
    return OptionNames(places=frozen, echo=Echo(values=by_first))


def _numbers(places: Mapping[tuple[str, ...], set[int]]) -> dict[int, set[int]]:
    """The numbers that stand in what the options are called, each with the places of those options."""
    found: dict[int, set[int]] = {}
    for units, named in places.items():
        for unit in units:
            if unit.isdecimal():
                found.setdefault(int(unit), set()).update(named)
    return found


def _ordinals(
    question: Question, numbers: Mapping[int, set[int]], vocabulary: Vocabulary
) -> dict[tuple[str, ...], int]:
    """What names an option by its place alone.

    Beside options with numbers in their names a bare number may be part of a name, so it counts nothing; and "the
    fourth" of 1, 2, 4, 8 might be either, so it is neither.
    """
    table = vocabulary.data.get("choice", {})
    counted = [place for place, option in enumerate(question.options) if option.counted]
    found: dict[tuple[str, ...], int] = {}
    for number, (place, group) in enumerate(zip(counted, table.get("ordinals", ()), strict=False), start=1):
        if numbers.get(number, {place}) != {place}:
            continue
        spelled = (vocabulary.speller.spell(written) for written in group)
        found |= {units: place for units in spelled if not (numbers and any(unit.isdecimal() for unit in units))}
    for written in table.get("last", ()) if counted else ():
        found[vocabulary.speller.spell(written)] = counted[-1]
    return found
