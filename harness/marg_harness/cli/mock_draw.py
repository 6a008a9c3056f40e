"""`marg mock draw`: a machine as a state diagram."""

from __future__ import annotations

import os
from pathlib import Path

import click

from marg_harness.cli import console
from marg_mock_model import load_machine
from marg_mock_model.drawing import mermaid_of, svg_of
from marg_runtime.errors import UsageError


@click.command()
@click.argument("machine", type=click.Path(dir_okay=False, path_type=Path), metavar="MACHINE")
@click.option("--format", "form", type=click.Choice(["mermaid", "svg"]), default="mermaid", show_default=True)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file, instead of stdout.")
@console.quiet_option
def draw_command(machine: Path, form: str, output: Path | None, quiet: bool) -> None:
    """Draw a machine: its states, the transitions between them, its slips."""
    loaded = load_machine(machine)
    text = mermaid_of(loaded) if form == "mermaid" else svg_of(loaded)
    if output is None:
        click.echo(text, nl=False)
        return
    write_whole(output, text)
    console.note(f"drawing: {output}", quiet=quiet)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all; raises UsageError."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, path)
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror or error}; name another file.") from None
