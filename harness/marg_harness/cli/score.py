"""`marg score`: how often each reader misreads, misses and flips labelled replies."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import click

from marg_corpora import Plan, TimedReader, corpus_files
from marg_corpora.cases import SIDES
from marg_corpora.judgement import read_judgements
from marg_corpora.plan import CASES_KEPT, GROUPS, Group
from marg_corpora.score import score_of
from marg_corpora.split import SPLITS, Split
from marg_corpora.tally import Side
from marg_harness.cli import console
from marg_harness.cli.case_table import case_table, judged_remarks
from marg_harness.cli.count_files import count_files, suitable_jobs
from marg_harness.cli.reader_choice import chosen_readers
from marg_harness.cli.record_stream import total_bytes
from marg_harness.cli.score_output import json_rows
from marg_harness.cli.score_table import rate_remarks, score_remarks, score_table

EXIT_MISREAD = 1


@click.command(epilog="Exit codes: 0 measured (whatever the figures), 1 a misread with --fail-on-misread, 2 bad input.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--reader", "readers", multiple=True, metavar="NAME", help="A reader to score; may be given again.")
@click.option("--by", type=click.Choice(GROUPS), default="source", show_default=True, help="Split rows further.")
@click.option("--split", type=click.Choice(SPLITS), help="Score one side only of the split by reply hash.")
@click.option("--show", multiple=True, type=click.Choice(SIDES), help="List the replies on that side; may be repeated.")
@click.option("--limit", default=CASES_KEPT, show_default=True, help="Replies to list for each reader and side.")
@click.option("--judged", type=click.Path(path_type=Path), help="Judgements of misreads by id, to count them apart.")
@click.option("--with-conflicts", is_flag=True, help="Count replies that their source labels both ways, too.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to score in; by default as many as help.")
@click.option("--time", "timed", is_flag=True, help="Print replies per second of each reader (one process).")
@click.option("--fail-on-misread", is_flag=True, help="Exit 1 when any reader misreads or flips a reply.")
@console.json_option
@console.quiet_option
def score(
    files: tuple[Path, ...],
    readers: tuple[str, ...],
    by: str,
    split: str | None,
    show: tuple[str, ...],
    limit: int,
    judged: Path | None,
    with_conflicts: bool,
    jobs: int | None,
    timed: bool,
    fail_on_misread: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Score readers on labelled replies: JSON Lines, plain or gzip; a folder stands for the corpora in it.

    Printed for each reader and source: misread (content read as a plain yes or no, with the 95 % Wilson interval, or
    for zero the upper end of the 95 % Clopper-Pearson interval), missed (a plain yes or no read as neither; unique,
    and weighted by how often the reply occurred), and flips (a yes read as no, a no as yes; plain and polar labels).
    A file of judgements holds lines with the id of a record and a judgement: reader_error, arguable or annotation.
    The readers "recognizers" and "ovos" are third-party and need the extra marg[peers].
    """
    paths = corpus_files(files)
    plan = Plan(
        by=cast(Group, by),
        with_conflicts=with_conflicts,
        split=cast(Split | None, split),
        sides=frozenset(cast(tuple[Side, ...], show)),
        kept=limit,
        judgements=read_judgements(judged) if judged else {},
    )
    scored = [TimedReader(reader=reader) for reader in chosen_readers(readers)]
    processes = 1 if timed else jobs or suitable_jobs(paths)
    with console.progress("scoring", total=total_bytes(paths), quiet=quiet) as watch:
        counted = count_files(paths, readers=scored, plan=plan, jobs=processes, watch=watch)
    result = score_of(counted, readers=[reader.name for reader in scored], plan=plan)
    rates = {reader.name: reader.replies_per_second for reader in scored} if timed else {}
    remarks = [*score_remarks(result), *(judged_remarks(result) if judged else ()), *rate_remarks(rates)]
    if as_json:
        console.print_json(json_rows(result, judged=judged is not None, rates=rates))
        for remark in remarks:
            console.note(remark, quiet=quiet)
    else:
        console.stdout().print(score_table(result))
        if show:
            console.stdout().print(case_table(result.casebook))
        for remark in remarks:
            console.print_line(remark)
    if fail_on_misread and any(row.tally.misread.unique or row.tally.flips.unique for row in result.rows):
        sys.exit(EXIT_MISREAD)
