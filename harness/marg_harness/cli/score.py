"""`marg score`: how often each reader misreads, misses and flips labelled replies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

import click

from marg_corpora import GROUPS, Group, Record, corpus_files, read_records, score_rows
from marg_corpora import score as score_records
from marg_harness.cli import console
from marg_harness.cli.reader_choice import chosen_readers
from marg_harness.cli.score_table import score_remarks, score_table

EXIT_MISREAD = 1


@click.command(epilog="Exit codes: 0 measured (whatever the figures), 1 a misread with --fail-on-misread, 2 bad input.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--reader", "readers", multiple=True, metavar="NAME", help="A reader to score; may be given again.")
@click.option("--by", type=click.Choice(GROUPS), default="source", show_default=True, help="Split rows further.")
@click.option("--with-conflicts", is_flag=True, help="Count replies that their source labels both ways, too.")
@click.option("--fail-on-misread", is_flag=True, help="Exit 1 when any reader misreads or flips a reply.")
@console.json_option
@console.quiet_option
def score(
    files: tuple[Path, ...],
    readers: tuple[str, ...],
    by: str,
    with_conflicts: bool,
    fail_on_misread: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Score readers on labelled replies: JSON Lines, plain or gzip; a folder stands for the corpora in it.

    Printed for each reader and source: misread (content read as a plain yes or no, with the 95 % Wilson interval, or
    for zero the upper end of the 95 % Clopper-Pearson interval), missed (a plain yes or no read as neither; unique,
    and weighted by how often the reply occurred), and flips (a yes read as no, a no as yes; plain and polar labels).
    """
    paths = corpus_files(files)
    with console.progress("scoring", total=sum(path.stat().st_size for path in paths), quiet=quiet) as watch:
        result = score_records(
            _records(paths, watch=watch),
            readers=chosen_readers(readers),
            by=cast(Group, by),
            with_conflicts=with_conflicts,
        )
    if as_json:
        console.print_json(score_rows(result))
        for remark in score_remarks(result):
            console.note(remark, quiet=quiet)
    else:
        console.stdout().print(score_table(result))
        for remark in score_remarks(result):
            console.print_line(remark)
    if fail_on_misread and any(row.tally.misread.unique or row.tally.flips.unique for row in result.rows):
        sys.exit(EXIT_MISREAD)


def _records(paths: tuple[Path, ...], *, watch: Callable[[int], None]) -> Iterator[Record]:
    before = 0
    for path in paths:
        yield from read_records(path, watch=partial(_watch_on, watch, before))
        before += path.stat().st_size


def _watch_on(watch: Callable[[int], None], before: int, position: int) -> None:
    watch(before + position)
