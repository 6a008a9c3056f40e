"""Which entry is to blame: what each word and phrase gains, what it costs, and whether that carries over.

An entry gains a reply when the reply is rightly read as plain, and no longer would be if the entry were taken out. It
causes a misread when the misread would go if it were. So an entry beside which another reads the same gains nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from marg_corpora.record import Record
from marg_corpora.record_reader import question_of
from marg_corpora.split import HELD_OUT_SHARE, Split, split_of
from marg_corpora.tally import DANGEROUS, side_of
from marg_corpora.vocabulary.ablation import Marked, marked_dialect, with_shut
from marg_corpora.vocabulary.entry import Entry
from marg_corpora.vocabulary.file import VocabularyReader
from marg_corpora.vocabulary.trace import Tracer
from marg_runtime.intervals import Interval, wilson
from marg_runtime.reading.kinds import ReadingKind
from marg_runtime.reading.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One plain reading of a record that may rest on an entry."""

    record: Record
    reading: ReadingKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What an entry does on one side of the split: replies gained (unique, weighted), misreads and flips caused."""

    gained: int = 0
    gained_weighted: int = 0
    misreads: int = 0
    flips: int = 0

    @property
    def harm(self) -> int:
        """Misreads and flips together: the dangerous side."""
        return self.misreads + self.flips

    def __add__(self, other: Balance) -> Balance:
        return Balance(
            gained=self.gained + other.gained,
            gained_weighted=self.gained_weighted + other.gained_weighted,
            misreads=self.misreads + other.misreads,
            flips=self.flips + other.flips,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """What one entry gains and costs where it was tuned and where it was not; `share` of the replies is held out."""

    entry: Entry
    tuning: Balance = field(default_factory=Balance)
    held_out: Balance = field(default_factory=Balance)
    share: float = HELD_OUT_SHARE

    @property
    def warning(self) -> str:
        """Say where the two sides part by more than chance (95 % Wilson intervals); blank where they agree."""
        tuned, held = self.tuning, self.held_out
        if tuned.harm < tuned.gained and held.harm and held.harm >= held.gained:
            return "gains where it was tuned, costs as much as it gains on the held-out side"
        if _harm(tuned).high < _harm(held).low:
            return "does more harm on the held-out side"
        if _harm(held).high < _harm(tuned).low:
            return "does less harm on the held-out side"
        # Were the gain the same on both sides, `share` of it would be held out; half of that is no chance.
        if tuned.gained and wilson(held.gained, tuned.gained + held.gained).high < self.share / 2:
            return "the gain does not carry over to the held-out side"
        return ""


def traced_uses(records: Iterable[Record], *, vocabulary: Vocabulary) -> Mapping[Entry, tuple[Use, ...]]:
    """Collect for each entry the readings that may rest on it: the plain ones that are right, misread or flipped.

    One pass over the records of the vocabulary's language; what is kept grows with the plain readings only.
    """
    reader = VocabularyReader(name="whole_message", vocabulary=vocabulary)
    tracer = Tracer(vocabulary)
    uses: dict[Entry, list[Use]] = {}
    for record in records:
        if record.language != vocabulary.language:
            continue
        question = question_of(record)
        reading = reader.read(record.reply, question, language=record.language).kind
        if _balance(Use(record=record, reading=reading)) != Balance():
            for entry in tracer.entries_of(record.reply, question):
                uses.setdefault(entry, []).append(Use(record=record, reading=reading))
    return {entry: tuple(uses[entry]) for entry in sorted(uses)}


def blame_entries(
    uses: Mapping[Entry, tuple[Use, ...]], *, vocabulary: Vocabulary, held_out: float = HELD_OUT_SHARE
) -> Iterator[Blame]:
    """Take out each entry in turn, read its replies again, and yield what it gained and caused, in order of entry."""
    kinds = {question_of(use.record).kind for rest_on_it in uses.values() for use in rest_on_it}
    dialects: dict[str, Marked] = {kind: marked_dialect(vocabulary, kind=kind) for kind in sorted(kinds)}
    for entry, rest_on_it in uses.items():
        reader = VocabularyReader(name="less", vocabulary=with_shut(vocabulary, entry, dialects=dialects))
        sides: dict[Split, Balance] = {"tuning": Balance(), "held_out": Balance()}
        for use in rest_on_it:
            record = use.record
            if reader.read(record.reply, question_of(record), language=record.language).kind != use.reading:
                sides[split_of(record.reply, held_out=held_out)] += _balance(use)
        yield Blame(entry=entry, tuning=sides["tuning"], held_out=sides["held_out"], share=held_out)


def _balance(use: Use) -> Balance:
    """Say what one plain reading counts as; a polar reply that is not flipped counts as nothing."""
    wrong = side_of(use.record.label, use.reading)
    if wrong in DANGEROUS:
        return Balance(misreads=1) if wrong == "misread" else Balance(flips=1)
    right = use.record.label == use.reading and use.reading in ("plain_yes", "plain_no")
    return Balance(gained=1, gained_weighted=use.record.n) if right else Balance()


def _harm(balance: Balance) -> Interval:
    return wilson(balance.harm, balance.harm + balance.gained)
