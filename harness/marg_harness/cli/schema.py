"""`marg schema`: JSON Schemas for editors."""

from __future__ import annotations

import click

from marg_harness.cli.console import print_json
from marg_mock_model.machine_form import machine_schema
from marg_runtime.gateway.schema import protocol_schema
from marg_scenarios import fixtures_schema, scenario_schema

_SCHEMAS = {
    "scenario": scenario_schema,
    "fixtures": fixtures_schema,
    "machine": machine_schema,
    "target": protocol_schema,
}


@click.command()
@click.argument("form", type=click.Choice(list(_SCHEMAS)), default="scenario")
def schema(form: str) -> None:
    """Print the JSON Schema of a scenario file, of a file of fixtures, of a mock machine's, or of what targets send."""
    print_json(_SCHEMAS[form](), as_it_is=True)
