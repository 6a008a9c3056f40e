"""`marg schema`: JSON Schemas for editors."""

from __future__ import annotations

import click

from marg_harness.cli.console import print_json
from marg_mock_model import machine_schema
from marg_scenarios import scenario_schema


@click.command()
@click.argument("form", type=click.Choice(["scenario", "machine"]), default="scenario")
def schema(form: str) -> None:
    """Print the JSON Schema of a scenario file, or of a mock machine's."""
    print_json(scenario_schema() if form == "scenario" else machine_schema())
