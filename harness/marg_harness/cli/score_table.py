"""The table of a score."""

from __future__ import annotations

from collections.abc import Mapping

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from marg_corpora import Count, Score, ScoreRow, Tally
from marg_harness.cli.console import cell
from marg_runtime import numbers
from marg_runtime.intervals import clopper_pearson, wilson

DANGER = "red"
"""The style of the dangerous side, misreads and flips, where it is not zero."""


def score_table(score: Score) -> Table:
    """Draw a score: one line a reader, in sections of one source and group, both sides of each decision beside another.

    Misreads and flips carry the 95 % Wilson interval, or for zero the Clopper-Pearson upper bound; missed replies are
    counted unique and weighted.
    """
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("source", *(() if score.by == "source" else (score.by,)), "reader"):
        table.add_column(heading, no_wrap=True)
    for heading in ("replies", "misread", "missed yes", "weighted", "missed no", "weighted", "flips"):
        table.add_column(heading, justify="right")
    place = None
    for row in score.rows:
        here = (row.key.source, row.key.group)
        if place not in (None, here):
            table.add_section()
        table.add_row(*_names(row, score=score, first=place != here), *_figures(row.tally))
        place = here
    return table


def score_remarks(score: Score) -> list[str]:
    """Say in a line each what the figures leave out: conflicting records, and languages without a vocabulary."""
    remarks = []
    if score.conflicts:
        left_out = f"{numbers.count(score.conflicts)} records left out: their source labels the same reply both ways"
        remarks.append(f"{left_out} (--with-conflicts counts them).")
    # Most often all readers share the vocabularies, so the list is the same for each.
    readers_of: dict[str, list[str]] = {}
    for reader in dict.fromkeys(one.reader for one in score.unknown_languages):
        of_reader = [one for one in score.unknown_languages if one.reader == reader]
        languages = ", ".join(f"{one.language} ({numbers.count(one.replies)})" for one in of_reader)
        readers_of.setdefault(languages, []).append(reader)
    for languages, readers in readers_of.items():
        remarks.append(f"No vocabulary, so every reply read as content by {', '.join(readers)}: {languages}.")
    return remarks


def rate_remarks(rates: Mapping[str, float | None]) -> list[str]:
    """Say in a line each how fast a reader reads, parsing and counting not included."""
    return [f"{reader} reads {numbers.rate(rate)}" for reader, rate in rates.items() if rate is not None]


def _names(row: ScoreRow, *, score: Score, first: bool) -> list[Text]:
    place = [row.key.source] if score.by == "source" else [row.key.source, row.key.group]
    return [*(cell(name if first else "") for name in place), cell(row.key.reader)]


def _figures(tally: Tally) -> list[Text]:
    return [
        cell(numbers.count(tally.replies.unique)),
        _danger(tally.misread, of=tally.content),
        _missed(tally.missed_yes, of=tally.plain_yes),
        cell(numbers.percent_of(tally.missed_yes.weighted, tally.plain_yes.weighted)),
        _missed(tally.missed_no, of=tally.plain_no),
        cell(numbers.percent_of(tally.missed_no.weighted, tally.plain_no.weighted)),
        _danger(tally.flips, of=tally.yes_or_no),
    ]


def _danger(hits: Count, *, of: Count) -> Text:
    if not of.unique:
        return cell(numbers.NOTHING)
    share = numbers.of(hits.unique, of.unique)
    if not hits.unique:
        return cell(f"{share} {numbers.at_most(clopper_pearson(0, of.unique).high)}")
    ends = numbers.interval(wilson(hits.unique, of.unique))
    return cell(f"{share} {numbers.percent_of(hits.unique, of.unique)} [{ends}]", style=DANGER)


def _missed(hits: Count, *, of: Count) -> Text:
    if not of.unique:
        return cell(numbers.NOTHING)
    return cell(f"{numbers.of(hits.unique, of.unique)} {numbers.percent_of(hits.unique, of.unique)}")
