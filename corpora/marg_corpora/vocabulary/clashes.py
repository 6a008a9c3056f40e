"""Entries that read the same words: duplicates, words in two classes, entries that never count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from marg_corpora.vocabulary.coverage import Meeting, meetings, net_of
from marg_corpora.vocabulary.entry import Entry, line_of, list_entries, speller_of
from marg_corpora.vocabulary.finding import Finding, Severity
from marg_runtime.reading.automaton import NOUN, VALUE, VERB
from marg_runtime.reading.patterns import NOUN_SLOT, VALUE_SLOT, VERB_SLOT
from marg_runtime.reading.schema import CONTENT_ROLES, DIALECTS
from marg_runtime.reading.vocabulary import Vocabulary

_BITS = {NOUN_SLOT: NOUN, VERB_SLOT: VERB, VALUE_SLOT: VALUE}
_YES = ("confirm", "confirm_alone", "praise")
_IDLE = ("echo", "polite", "filler")


@dataclass(slots=True, kw_only=True)
class _Seen:
    """What the walk through all dialects has shown so far."""

    shared: dict[tuple[Entry, Entry], tuple[tuple[str, ...], list[str]]] = field(default_factory=dict)
    alone: set[Entry] = field(default_factory=set)
    wins: set[Entry] = field(default_factory=set)
    beaten: dict[Entry, Entry] = field(default_factory=dict)
    twins: dict[Entry, Entry] = field(default_factory=dict)


def clashes(vocabulary: Vocabulary) -> Iterator[Finding]:
    """Yield the duplicates, the words in two classes and the entries that never count, over all dialects."""
    seen = _Seen()
    for kind in DIALECTS:
        for meeting in meetings(net_of(vocabulary, kind=kind)):
            _note(seen, meeting, kind=kind, winner=_winning_role(vocabulary, meeting, kind=kind))
    yield from _duplicates(vocabulary, seen)
    yield from _twice_in_a_list(vocabulary)
    yield from _never_count(vocabulary, seen)
    yield from _in_two_classes(vocabulary, seen)


def _winning_role(vocabulary: Vocabulary, meeting: Meeting, *, kind: str) -> str:
    """Ask the reader's own matcher which role words that several roles claim are given."""
    roles = {entry.role for entry in meeting.entries}
    if len(roles) == 1:
        return roles.pop()
    bits = [_BITS.get(word, 0) for word in meeting.words]
    match = vocabulary.dialect(kind).longest(meeting.words, bits, 0)
    return match.role if match else meeting.entries[0].role


def _note(seen: _Seen, meeting: Meeting, *, kind: str, winner: str) -> None:
    winners = [entry for entry in meeting.entries if entry.role == winner]
    losers = [entry for entry in meeting.entries if entry.role != winner]
    seen.wins.update(winners)
    if len(winners) == 1:
        seen.alone.update(winners)
    for twin in winners[1:]:
        seen.twins.setdefault(twin, winners[0])
    for loser in losers:
        seen.beaten.setdefault(loser, winners[0])
        _, kinds = seen.shared.setdefault((winners[0], loser), (meeting.words, []))
        if kind not in kinds:
            kinds.append(kind)


def _duplicates(vocabulary: Vocabulary, seen: _Seen) -> Iterator[Finding]:
    """An entry that wins somewhere but is nowhere the only one of its role could go without a loss."""
    for entry in sorted(seen.wins - seen.alone):
        twin = seen.twins.get(entry)
        if twin is not None:
            message = f"{entry} adds nothing: {twin} and others of its role read the same words"
            yield Finding(severity="warning", rule="duplicate", line=line_of(vocabulary, entry), message=message)


def _twice_in_a_list(vocabulary: Vocabulary) -> Iterator[Finding]:
    spell = speller_of(vocabulary).spell
    first: dict[tuple[str, Sequence[str]], Entry] = {}
    for entry in list_entries(vocabulary):
        earlier = first.setdefault((entry.place, spell(entry.text)), entry)
        if earlier != entry:
            message = f"{entry} is {earlier.text!r} again, once spelling is settled"
            yield Finding(severity="warning", rule="duplicate", line=line_of(vocabulary, entry), message=message)


def _never_count(vocabulary: Vocabulary, seen: _Seen) -> Iterator[Finding]:
    for entry in sorted(seen.beaten.keys() - seen.wins):
        message = f"{entry} never counts: wherever it fits, {seen.beaten[entry]} wins"
        severity: Severity = "note" if entry.role in _IDLE else "warning"
        yield Finding(severity=severity, rule="never_counts", line=line_of(vocabulary, entry), message=message)


def _in_two_classes(vocabulary: Vocabulary, seen: _Seen) -> Iterator[Finding]:
    for (winner, loser), (words, kinds) in seen.shared.items():
        where = "every dialect" if len(kinds) == len(DIALECTS) else f"dialect {', '.join(kinds)}"
        example = " ".join(words)
        message = f"{example!r} stands in two classes: {winner} wins over {loser} in {where}"
        line = line_of(vocabulary, loser)
        yield Finding(severity=_gravity(winner, loser), rule="two_classes", line=line, message=message)


def _gravity(winner: Entry, loser: Entry) -> Severity:
    """A dialect may overrule what holds everywhere; two entries of one table that disagree are a slip."""
    roles = {winner.role, loser.role}
    if winner.table != loser.table or winner.role in CONTENT_ROLES or loser.role in _IDLE:
        return "note"
    return "error" if "deny" in roles and roles.intersection(_YES) else "warning"
