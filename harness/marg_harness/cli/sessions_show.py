"""`marg sessions show`: the ledger of one session."""

from __future__ import annotations

import json

import click

from marg_harness.cli import console
from marg_harness.cli.store_at import day, store_option, with_store
from marg_runtime.errors import UsageError
from marg_runtime.ledger import encode


@click.command()
@click.argument("session")
@store_option
@console.json_option
def show(session: str, url: str, as_json: bool) -> None:
    """Print the ledger of a session, one event a line: revision, turn, time, kind and what it holds.

    It is printed as it is: what a person said is data, and `marg record` reads it.
    """
    entries = with_store(url, lambda store: store.read(session))
    if not entries:
        raise UsageError(f"no session {session!r} in this store; `marg sessions list` names them all")
    lines = [json.loads(encode(entry)) for entry in entries]
    if as_json:
        console.print_json(lines, as_it_is=True)
        return
    for line in lines:
        held = json.dumps(line["event"], ensure_ascii=False, sort_keys=True)
        head = f"{line['revision']:>5}  turn {line['turn']:<4} {day(line['at'])}  {line['kind']}"
        console.print_line(f"{head}  {held}", as_it_is=True)
