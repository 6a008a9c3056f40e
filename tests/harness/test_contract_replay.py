"""A scenario holds the write tool and what is sent to it to the contract; what has drifted is a red with its case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from marg_harness.replay import replay_scenario
from marg_runtime.errors import LocatedError
from marg_scenarios import load_scenario
from marg_scenarios.support_intake.kit import KIT

HEAD = "scenario: the contract\ndomain: support_intake\nturns:\n"
HELLO = "  - id: report\n    say: My login fails since this morning. I get error 500 on every try.\n"
CHANGED = "    tools: {create_ticket: {changes: {arguments: {title: {type: string, maxLength: 400}}}}}\n"
EXPECT = "    expect: {contract: true}\n"


def reds(path: Path, text: str) -> list[tuple[str, object]]:
    path.write_text(HEAD + text, encoding="utf-8")
    record = replay_scenario(load_scenario(path))
    return [(check.kind, check.got) for turn in record.turns for check in turn.checks if not check.passed]


def test_the_shipped_desk_is_as_its_contract_says(tmp_path: Path) -> None:
    assert reds(tmp_path / "x.scenario.yaml", HELLO + EXPECT) == []


def test_a_schema_that_has_drifted_is_a_red_that_names_the_case(tmp_path: Path) -> None:
    ((kind, got),) = reds(tmp_path / "x.scenario.yaml", HELLO + CHANGED + EXPECT)
    assert kind == "contract"
    assert "longer than 120" in str(got)


def test_a_domain_without_a_contract_is_bad_input_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("marg_scenarios.loader.find_kit", lambda *_, **__: replace(KIT, contract=None))
    path = tmp_path / "x.scenario.yaml"
    path.write_text(HEAD + HELLO + EXPECT, encoding="utf-8")
    with pytest.raises(LocatedError, match=r"x\.scenario\.yaml:6: the domain 'support_intake' has no contract"):
        load_scenario(path)
