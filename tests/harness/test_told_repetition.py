"""`--repeat`: a red of any repetition is shown, put on record, shrunk; the last one being green hides none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_mock_model.chance import chance
from marg_reports.record_reading import read_record

WriteScenario = Callable[..., Path]

RATE = 0.3
SLIPPING = f"""\
machine: small
start: a
slips:
  - {{slip: empty, rate: {RATE}}}
states:
  a:
    transitions:
      - {{when: {{user_matches: hello}}, reply: Hi., to: a}}
"""
SAYS_HI = "  - say: hello\n    expect: {text: {contains: [Hi.]}}\n"
NAME = "a small one"


def _slips(seed: int) -> bool:
    return chance(seed, NAME, 1, 1, "empty", 1) < RATE


SEED = next(seed for seed in range(1000) if [_slips(seed + number) for number in range(3)] == [False, True, False])
"""Of three runs from here the one in the middle is red."""


def repeated(*options: str) -> Result:
    arguments = ["replay", "--repeat=3", f"--seed={SEED}", *options]
    return CliRunner().invoke(marg, arguments, catch_exceptions=False)


@pytest.fixture(autouse=True)
def _slipping(small: WriteScenario) -> None:
    small(NAME, turns=SAYS_HI, machine=SLIPPING)


def test_a_red_of_any_repetition_is_shown_and_put_on_record_with_its_seed() -> None:
    found = repeated("--junit=junit.xml")
    record = read_record(Path(".marg/run.jsonl"))
    assert (found.exit_code, "1 red;" in found.stdout, "all green" in found.stdout) == (1, True, False)
    assert ([red.check.id for red in record.reds()], record.settings["seed"]) == (["text"], SEED + 1)
    assert 'failures="1"' in Path("junit.xml").read_text(encoding="utf-8")


def test_json_tells_the_reds_of_that_repetition_and_its_seed() -> None:
    said = json.loads(repeated("--json").stdout)
    assert (len(said["reds"]), said["seed"]) == (1, SEED + 1)


def test_a_red_of_any_repetition_is_chosen_by_last_failed() -> None:
    repeated()
    again = CliRunner().invoke(marg, ["replay", "--last-failed"], catch_exceptions=False)
    assert "1 scenario" in again.stdout


def test_a_red_of_any_repetition_is_shrunk_with_its_seed() -> None:
    found = repeated("--shrink")
    assert (found.exit_code, f'scenario: "{NAME}"' in found.stdout or f"scenario: {NAME}" in found.stdout) == (1, True)


def test_a_red_of_any_repetition_is_updated() -> None:
    said = json.loads(repeated("--update", "--json").stdout)
    assert [change["check"] for change in said["changes"]] == ["text"]
