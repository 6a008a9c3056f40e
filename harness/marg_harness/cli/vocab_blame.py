"""`marg vocab blame`: what each word and phrase gains and costs, on a tuning side and on a held-out side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from marg_corpora import corpus_files
from marg_corpora.split import HELD_OUT_SHARE
from marg_corpora.vocabulary import Balance, Blame, blame_entries, traced_uses, vocabulary_at
from marg_harness.cli import console
from marg_harness.cli.record_stream import records_of, total_bytes
from marg_runtime import numbers

DEFAULT_ROWS = 40


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="CORPUS...")
@click.option("--vocabulary", default="en", show_default=True, metavar="FILE", help="A file, or a shipped language.")
@click.option("--held-out", default=HELD_OUT_SHARE, show_default=True, type=click.FloatRange(0, 1), metavar="SHARE")
@click.option("--rows", default=DEFAULT_ROWS, show_default=True, type=click.IntRange(min=1), help="Rows of the table.")
@click.option("--with-conflicts", is_flag=True, help="Read replies that their source labels both ways, too.")
@console.json_option
@console.quiet_option
def blame(
    corpora: tuple[Path, ...],
    vocabulary: str,
    held_out: float,
    rows: int,
    with_conflicts: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show for each word and phrase of a vocabulary the replies it gains and the misreads and flips it causes.

    Each entry is taken out in turn and the replies that may rest on it are read again: gained is what would be missed
    without it, caused is what would go. Both are counted apart on the two sides of a split by reply hash, and a warning
    says where the sides part by more than chance. Entries that cause harm come first, then those with a warning, then
    those that gain most; --json gives all of them.
    """
    words = vocabulary_at(vocabulary)
    paths = corpus_files(corpora)
    with console.progress("reading", total=total_bytes(paths), quiet=quiet) as watch:
        records = (one for one in records_of(paths, watch=watch) if with_conflicts or not one.conflict)
        uses = traced_uses(records, vocabulary=words)
    found: list[Blame] = []
    with console.progress("taking out entries", total=len(uses), quiet=quiet) as watch:
        for one in blame_entries(uses, vocabulary=words, held_out=held_out):
            found.append(one)
            watch(len(found))
    found.sort(key=_rank)
    if as_json:
        console.print_json([_flat(one) for one in found])
        return
    console.stdout().print(_table(found[:rows]))
    if len(found) > rows:
        console.print_line(f"{numbers.count(len(found) - rows)} more entries; --rows or --json shows them.")


def _rank(one: Blame) -> tuple[int, bool, int, str]:
    harm = one.tuning.harm + one.held_out.harm
    return -harm, not one.warning, -(one.tuning.gained + one.held_out.gained), str(one.entry)


def _flat(one: Blame) -> dict[str, object]:
    sides = {"tuning": asdict(one.tuning), "held_out": asdict(one.held_out)}
    return {"place": one.entry.place, "text": one.entry.text, **sides, "warning": one.warning}


def _table(found: Iterable[Blame]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("entry", "place"):
        table.add_column(heading, overflow="fold")
    for heading in ("gained", "misreads", "flips", "held out: gained", "misreads", "flips"):
        table.add_column(heading, justify="right")
    table.add_column("warning")
    for one in found:
        names = (console.cell(one.entry.text), console.cell(one.entry.place))
        table.add_row(*names, *_cells(one.tuning), *_cells(one.held_out), console.cell(one.warning, style="yellow"))
    return table


def _cells(balance: Balance) -> list[str]:
    return [numbers.count(number) for number in (balance.gained, balance.misreads, balance.flips)]
