"""`marg sessions delete`: all that is kept of some sessions goes."""

from __future__ import annotations

import sys

import click

from marg_harness.cli import console
from marg_harness.cli.store_at import store_option, with_store
from marg_runtime.store import Store

EXIT_UNKNOWN = 1


@click.command(epilog="Exit codes: 0 all deleted, 1 a session was not there, 2 usage, 3 the store broke.")
@click.argument("names", metavar="SESSION...", nargs=-1, required=True)
@store_option
@console.json_option
def delete(names: tuple[str, ...], url: str, as_json: bool) -> None:
    """Delete sessions, each once no worker is in the midst of a turn of it. The id is not to be used again."""

    async def deleting(store: Store) -> dict[str, bool]:
        return {name: await store.delete(name) for name in names}

    deleted = with_store(url, deleting)
    if as_json:
        console.print_json(deleted)
    else:
        for name, there in deleted.items():
            console.print_line(f"{name}: {'deleted' if there else 'not there'}", style="" if there else "red")
    if not all(deleted.values()):
        sys.exit(EXIT_UNKNOWN)
