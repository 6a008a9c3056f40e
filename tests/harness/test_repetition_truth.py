"""`--repeat`: what is printed of repeated runs holds the truth, where the truth is the machine's own rate (Show 6)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_mock_model.chance import chance
from marg_reports.repetition import Repetition

WriteScenario = Callable[..., Path]

RATE = 0.3
RUNS = 20
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
SEEDS = 400
# The binomial's steps make Wilson's interval cover a little more or less than it says; less than this would be a fault.
LEAST_COVERAGE = 0.93


def passes(seed: int) -> int:
    """How many of the runs do not slip: what `--seed` draws, worked out from the draws alone."""
    return sum(chance(seed + number, NAME, 1, 1, "empty", 1) >= RATE for number in range(RUNS))


def repeated(seed: int) -> dict[str, Any]:
    arguments = ["replay", "--json", f"--repeat={RUNS}", f"--seed={seed}"]
    found = CliRunner().invoke(marg, arguments, catch_exceptions=False)
    (one,) = json.loads(found.stdout)["repetitions"]
    return dict(one)


def test_a_seeded_run_counts_what_its_draws_say_and_its_interval_holds_the_rate(small: WriteScenario) -> None:
    small(NAME, turns=SAYS_HI, machine=SLIPPING)
    one = repeated(seed=7)
    low, high = one["interval"]
    assert (one["passes"], one["of"]) == (passes(7), RUNS)
    assert low <= 1 - RATE <= high


def test_over_many_seeds_the_interval_holds_the_rate_as_often_as_it_says() -> None:
    held = 0
    for seed in range(SEEDS):
        # Runs of one seed begin where those of the one before end, so that no draw is counted twice.
        interval = Repetition(path="", title=NAME, passes=passes(seed * RUNS), of=RUNS).interval
        held += interval.low <= 1 - RATE <= interval.high
    assert held / SEEDS >= LEAST_COVERAGE


def test_over_many_seeds_pass_power_is_the_power_of_the_rate() -> None:
    for k in (1, 2, 4, 8):
        found = [Repetition(path="", title=NAME, passes=passes(seed * RUNS), of=RUNS).power(k) for seed in range(SEEDS)]
        assert abs(sum(found) / SEEDS - (1 - RATE) ** k) < 0.02


def test_a_table_shows_pass_power_and_the_interval(small: WriteScenario) -> None:
    small(NAME, turns=SAYS_HI, machine=SLIPPING)
    shown = CliRunner().invoke(marg, ["replay", "--repeat=4", "--seed=7"], catch_exceptions=False).stdout
    assert "pass^1" in shown
    assert "pass^4" in shown
    assert "rate, 95 %" in shown
