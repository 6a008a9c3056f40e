"""`marg sessions list`: what a store holds."""

from __future__ import annotations

from dataclasses import asdict

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table

from marg_harness.cli import console
from marg_harness.cli.store_at import day, store_option, with_store
from marg_runtime import numbers


@click.command("list")
@store_option
@console.json_option
def list_command(url: str, as_json: bool) -> None:
    """List the sessions of a store, in the order of their ids."""
    found = with_store(url, lambda store: store.sessions())
    if as_json:
        console.print_json([asdict(one) for one in found])
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("session", "entries", "first act", "last act"):
        table.add_column(heading, overflow="fold")
    for one in found:
        table.add_row(
            console.cell(one.session), numbers.count(one.revision), day(one.first_at), console.cell(day(one.last_at))
        )
    if found:
        console.stdout().print(table)
    console.print_line(numbers.plural(len(found), "sessions"))
