"""`marg vocab diff`: every reply that a changed vocabulary reads differently."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from marg_corpora import Record, corpus_files
from marg_corpora.vocabulary import DANGERS, EFFECTS, Change, Effect, vocabulary_at, vocabulary_changes
from marg_harness.cli import console
from marg_harness.cli.record_stream import records_of, total_bytes
from marg_runtime import numbers

EXIT_DANGER = 1
WORDS: dict[Effect, str] = {
    "new_misread": "new misread",
    "new_flip": "new flip",
    "misread_gone": "misread gone",
    "flip_gone": "flip gone",
    "lost": "plain reply lost",
    "found": "plain reply found",
    "other": "other change",
}


@click.command(epilog="Exit codes: 0 no new misread and no new flip, 1 one or more, 2 bad input.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="CORPUS...")
@click.option("--with-conflicts", is_flag=True, help="Read replies that their source labels both ways, too.")
@console.json_option
@console.quiet_option
def diff(old: str, new: str, corpora: tuple[Path, ...], with_conflicts: bool, as_json: bool, quiet: bool) -> None:
    """List every reply of the corpora that the vocabulary NEW reads differently from OLD.

    Each is a file, or a language for the shipped vocabulary; both must be of one language, and only replies in that
    language are read. The dangerous side comes first, and any new misread or flip fails the command.
    """
    before, after = vocabulary_at(old), vocabulary_at(new)
    paths = corpus_files(corpora)
    with console.progress("reading twice", total=total_bytes(paths), quiet=quiet) as watch:
        records = (one for one in records_of(paths, watch=watch) if with_conflicts or not one.conflict)
        changes = sorted(vocabulary_changes(records, before=before, after=after), key=_rank)
    counts = Counter(change.effect for change in changes)
    if as_json:
        totals: dict[str, object] = {effect: counts[effect] for effect in EFFECTS}
        console.print_json({**totals, "changes": [_flat(change) for change in changes]})
    else:
        if changes:
            console.stdout().print(_table(changes))
        console.print_line(_summary(counts))
    if any(counts[effect] for effect in DANGERS):
        sys.exit(EXIT_DANGER)


def _rank(change: Change) -> tuple[int, str, str]:
    return EFFECTS.index(change.effect), change.record.source, change.record.id


def _summary(counts: Counter[Effect]) -> str:
    if not counts:
        return "no reading changes"
    return ", ".join(f"{WORDS[effect]}: {numbers.count(counts[effect])}" for effect in EFFECTS if counts[effect])


def _flat(change: Change) -> dict[str, object]:
    record: Record = change.record
    kept = ("id", "source", "question_kind", "question", "reply", "label", "n")
    fields = {key: getattr(record, key) for key in kept}
    return {"effect": change.effect, "before": change.before, "after": change.after, **fields}


def _table(changes: list[Change]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("effect", "id", "label", "before", "after", "question", "reply"):
        table.add_column(heading, overflow="fold")
    for change in changes:
        record, style = change.record, "red" if change.effect in DANGERS else ""
        cells = (record.id, record.label, change.before, change.after, record.question or "–", record.reply)
        table.add_row(console.cell(WORDS[change.effect], style=style), *map(console.cell, cells))
    return table
