"""`marg serve`: a domain over HTTP."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from marg_harness.serving import Serving, opens_agent
from marg_runtime.errors import UsageError
from marg_runtime.gate import WRITE_FLAG
from marg_runtime.gateway.serving import LOCAL_NAMES, LOOPBACK, serve_forever
from marg_scenarios import find_kit


@click.command(epilog="Exit codes: 0 stopped by a signal, 2 a kit, model, store or address that cannot be had.")
@click.argument("kit", metavar="KIT")
@click.option("--host", default=LOOPBACK, show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 is any that is free.")
@click.option(
    "--store", "store", default="memory:", show_default=True, metavar="URL", envvar="MARG_STORE", help="The store."
)
@click.option("--model", metavar="NAME", help="openai:NAME, openai-responses:NAME or anthropic:NAME.")
@click.option("--base-url", metavar="URL", help="Where that model is served, if not at its provider's.")
@click.option("--mock", is_flag=True, help="The kit's own mock machine plays the model; the default.")
@click.option("--dev", is_flag=True, help="Report the ledger's part of every turn; for development only.")
@click.option("--test", is_flag=True, help="Serve scenarios: a backend and a machine for each; writes stay off.")
def serve_command(
    kit: str,
    host: str,
    port: int,
    store: str,
    model: str | None,
    base_url: str | None,
    mock: bool,
    dev: bool,
    test: bool,
) -> None:
    """Serve a domain over HTTP: the protocol of docs/targets.md, and answers as server-sent events.

    KIT is a shipped domain, or package.module:KIT. Prints one line of JSON with its address as soon as it listens, and
    runs until it is interrupted. Nothing is written unless MARG_ALLOW_WRITES is true.
    """
    if mock and model is not None:
        raise UsageError(f"--mock and --model {model!r} do not go together; choose one")
    if test and (model is not None or store != "memory:"):
        raise UsageError("--test plays the machines of scenarios in memory; leave --model and --store out")
    if (dev or test) and host not in LOCAL_NAMES:
        raise UsageError(f"--dev and --test show what no user may see; they are served on {LOOPBACK}, not on {host!r}")
    found = find_kit(kit, beside=Path.cwd())
    serving = Serving(kit=found, store=store, model=model, base_url=base_url, dev=dev, test=test)
    serve_forever(opens_agent(serving), host=host, port=port, on_ready=lambda address: _announce(address, kit))


def _announce(address: str, kit: str) -> None:
    click.echo(json.dumps({"address": address, "kit": kit, "writes": os.environ.get(WRITE_FLAG) == "true"}))
