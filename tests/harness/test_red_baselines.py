"""The baselines of the fault benchmark: each says what its name says, by what whoever reads a CI log can see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from benchmarks.reds.baselines import BASELINES
from benchmarks.reds.baselines.flakemap_history import HAS_FLAKEMAP, flakemap, outcomes
from benchmarks.reds.case import RedCase

CASE = RedCase(
    kind="k",
    family="f",
    truth="regression",
    red="a.yaml::a::t::draft",
    test="a.yaml::a",
    seed=0,
    message='draft (runtime): expected {"priority":"high"}, got {}',
    trace="a.yaml:4",
    retries=(False, False, False),
    base=True,
    history=(True,) * 10,
    together=1,
    run_reds=1,
    run_tests=5,
)
BROKEN_BEFORE = replace(CASE, base=False, history=(False,) * 10)
WAVERING = replace(
    CASE, retries=(False, True, True), history=(True, False, True, True, False, True, True, True, False, True)
)
ON_THE_WIRE = replace(CASE, message="text (model): expected contains Thanks, got I could not answer that just now.")
NEW_TEST = replace(CASE, base=None, history=())
CASES = (CASE, BROKEN_BEFORE, WAVERING, ON_THE_WIRE, NEW_TEST)

SAYS: Mapping[str, tuple[str, ...]] = {
    "message regex": ("regression", "regression", "regression", "transport", "regression"),
    "pass on retry (3)": ("regression", "regression", "model_flake", "regression", "regression"),
    "base difference": ("regression", "pre_existing", "regression", "regression", "unclassified"),
    "usual stack": ("regression", "pre_existing", "model_flake", "transport", "regression"),
    "flakemap": ("regression", "pre_existing", "model_flake", "regression", "unclassified"),
}


@pytest.mark.parametrize("name", BASELINES)
def test_each_baseline_says_what_it_is_named_for(name: str) -> None:
    assert tuple(BASELINES[name](CASES)) == SAYS[name]


@pytest.mark.parametrize("name", BASELINES)
def test_no_baseline_looks_at_the_truth(name: str) -> None:
    blind = [replace(case, kind="", family="", truth="") for case in CASES]
    assert tuple(BASELINES[name](blind)) == tuple(BASELINES[name](CASES))


def test_flakemap_is_left_out_where_it_is_not_installed() -> None:
    assert ("flakemap" in BASELINES) == HAS_FLAKEMAP


def test_the_history_ends_with_the_red_and_its_reruns_at_one_commit() -> None:
    last = [outcome for outcome in outcomes(WAVERING) if outcome.commit == "head"]
    assert [outcome.passed for outcome in last] == [False, False, True, True]
    assert len(list(outcomes(WAVERING))) == 14


@pytest.mark.skipif(not HAS_FLAKEMAP, reason="flakemap is not installed; pip install flakemap")
def test_a_message_that_is_no_xml_does_not_keep_flakemap_from_reading() -> None:
    assert flakemap([replace(CASE, message="\x00\x1b[31m<red> & \ud800")]) == ["regression"]
