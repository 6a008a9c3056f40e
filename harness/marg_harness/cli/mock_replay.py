"""`marg mock replay`: a cassette as a server."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from marg_harness.cli import console
from marg_mock_model.cassette import Replayer, Served, serve_cassette
from marg_mock_model.endpoint import run_until_stopped
from marg_runtime import numbers

EXIT_MISSED = 1


@click.command(epilog="Exit codes: 0 every request was on the cassette, 1 some were not, 2 a cassette that is none.")
@click.argument("cassette", type=click.Path(dir_okay=False, path_type=Path), metavar="CASSETTE")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 is any that is free.")
@console.quiet_option
def replay_command(cassette: Path, host: str, port: int, quiet: bool) -> None:
    """Answer every recorded request as it was answered; a changed one is status 422 and says what changed.

    Prints one line of JSON with its address as soon as it listens, and runs until it is interrupted.
    """
    replayers: list[Replayer] = []

    def announce(served: Served[Replayer]) -> None:
        replayers.append(served.app)
        click.echo(json.dumps({"address": served.address, "cassette": str(cassette)}))

    run_until_stopped(serve_cassette(cassette, host=host, port=port), on_ready=announce)
    missed = [words for one in replayers for words in one.missed]
    for words in missed:
        console.note(f"missed: {words}", quiet=quiet)
    unplayed = [take for one in replayers for take in one.unplayed()]
    console.note(f"{numbers.plural(len(missed), 'requests')} missed, {len(unplayed)} not asked for", quiet=quiet)
    sys.exit(EXIT_MISSED if missed else 0)
