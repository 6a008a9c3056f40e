"""`marg schema`: the schemas of scenario files and machine files."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_mock_model.machine_form import machine_schema
from marg_scenarios import scenario_schema


@pytest.mark.parametrize(
    ("arguments", "schema"),
    [([], scenario_schema()), (["scenario"], scenario_schema()), (["machine"], machine_schema())],
)
def test_the_schema_is_printed_as_json(arguments: list[str], schema: object) -> None:
    found = CliRunner().invoke(marg, ["schema", *arguments])
    assert (found.exit_code, json.loads(found.stdout)) == (0, schema)


def test_another_form_is_refused() -> None:
    found = CliRunner().invoke(marg, ["schema", "domain"])
    assert found.exit_code == 2
    assert "'domain' is not one of 'scenario', 'fixtures', 'machine', 'target'" in found.stderr
