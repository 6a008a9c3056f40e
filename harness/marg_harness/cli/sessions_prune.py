"""`marg sessions prune`: retention."""

from __future__ import annotations

import time

import click

from marg_harness.cli import console
from marg_harness.cli.store_at import store_option, with_store
from marg_runtime import numbers
from marg_runtime.store import Store

DAY_MILLISECONDS = 24 * 60 * 60 * 1000


@click.command()
@click.option("--days", required=True, type=click.IntRange(min=0), help="Days since the last act of a session.")
@click.option("--dry-run", is_flag=True, help="Only say which ones would go.")
@store_option
@console.json_option
def prune(days: int, dry_run: bool, url: str, as_json: bool) -> None:
    """Delete the sessions whose last act is longer ago than so many days, and name them.

    A session that a worker holds stays. The time of an act is the one that came with it.
    """
    at = time.time_ns() // 1_000_000 - days * DAY_MILLISECONDS

    async def pruning(store: Store) -> tuple[str, ...]:
        if not dry_run:
            return await store.delete_older_than(at)
        return tuple(one.session for one in await store.sessions() if one.is_older(at))

    gone = with_store(url, pruning)
    if as_json:
        console.print_json(list(gone))
        return
    for name in gone:
        console.print_line(name)
    console.print_line(f"{numbers.plural(len(gone), 'sessions')} {'would go' if dry_run else 'deleted'}")
