"""`marg mock draft`: a cassette turned into a machine to go on with."""

from __future__ import annotations

from pathlib import Path

import click

from marg_harness.cli import console
from marg_harness.cli.mock_draw import write_whole
from marg_mock_model.cassette import clean_take, draft_machine, read_cassette
from marg_runtime.scrub import own_secrets


@click.command(epilog="Exit codes: 0 a machine was drafted, 2 a cassette with nothing to draft from.")
@click.argument("cassette", type=click.Path(dir_okay=False, path_type=Path), metavar="CASSETTE")
@click.option("--name", help="The machine's name, by default the cassette's.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file, instead of stdout.")
@console.quiet_option
def draft_command(cassette: Path, name: str | None, output: Path | None, quiet: bool) -> None:
    """Draft a machine from a cassette: a state for every place in a recorded conversation.

    What is left out, such as errors and replies that are not whole, is named on stderr.
    """
    # Who recorded the cassette is not known here.
    takes = [clean_take(take, secrets=own_secrets()) for take in read_cassette(cassette)]
    draft = draft_machine(takes, name=name or cassette.name.partition(".")[0])
    for line, reason in draft.left_out.items():
        console.note(f"{cassette}:{line}: left out: {reason}", quiet=quiet)
    if output is None:
        click.echo(draft.text, nl=False)
    else:
        write_whole(output, draft.text)
        console.note(f"machine: {output}", quiet=quiet)
