"""`marg mock record`: a proxy in front of a real API that writes a cassette."""

from __future__ import annotations

import json
from pathlib import Path

import click

from marg_harness.cli import console
from marg_mock_model.cassette import Recorder, Served, serve_recorder
from marg_mock_model.endpoint import run_until_stopped
from marg_runtime.scrub import own_secrets, scrub


@click.command(epilog="Exit codes: 0 stopped by a signal, 2 a cassette, upstream or address that cannot be had.")
@click.option("--upstream", required=True, metavar="URL", help="The real API, without its path: https://HOST.")
@click.option("--cassette", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@click.option("--append", is_flag=True, help="Go on with a cassette that exists.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 is any that is free.")
@console.quiet_option
def record_command(upstream: str, cassette: Path, append: bool, host: str, port: int, quiet: bool) -> None:
    """Pass every request on to a real API, and record it with its answer, without any key.

    Prints one line of JSON with its address as soon as it listens, and runs until it is interrupted. The keys of the
    client go to the upstream and nowhere else.
    """
    recorders: list[Recorder] = []

    def announce(served: Served[Recorder]) -> None:
        recorders.append(served.app)
        click.echo(
            json.dumps(
                {
                    "address": served.address,
                    "upstream": scrub(upstream, secrets=own_secrets()),
                    "cassette": str(cassette),
                }
            )
        )

    serving = serve_recorder(upstream, cassette=cassette, append=append, host=host, port=port)
    run_until_stopped(serving, on_ready=announce)
    console.note(f"recorded: {sum(one.recorded for one in recorders)} on {cassette}", quiet=quiet)
