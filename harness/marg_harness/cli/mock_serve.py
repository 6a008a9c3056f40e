"""`marg mock serve`: a machine as a real HTTP endpoint."""

from __future__ import annotations

import json
from pathlib import Path

import click

from marg_mock_model.endpoint import Endpoint, serve_forever


@click.command(epilog="Exit codes: 0 stopped by a signal, 2 a machine, faults or address that cannot be had.")
@click.argument("machine", type=click.Path(dir_okay=False, path_type=Path), metavar="MACHINE")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 is any that is free.")
@click.option("--faults", metavar="SPEC|FILE", help="What goes wrong and when, such as 'rate_limit@1:retry_after=0.5'.")
@click.option("--seed", type=int, default=0, show_default=True, help="What faults and slips at a rate are drawn with.")
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="A file that gets every exchange.")
def serve_command(machine: Path, host: str, port: int, faults: str | None, seed: int, journal: Path | None) -> None:
    """Serve a machine as OpenAI Chat Completions, OpenAI Responses and Anthropic Messages.

    Prints one line of JSON with its addresses as soon as it listens, and runs until it is interrupted.
    """
    serve_forever(machine, host=host, port=port, faults=faults, seed=seed, journal=journal, on_ready=_announce)


def _announce(endpoint: Endpoint) -> None:
    addresses = {
        "address": endpoint.address,
        "openai": endpoint.openai_url,
        "anthropic": endpoint.anthropic_url,
        "machine": endpoint.app.desk.machine.name,
    }
    click.echo(json.dumps(addresses))
