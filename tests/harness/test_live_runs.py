"""Live runs: drawn in stages on either side, where the wire broke drawn again, and only where rates are missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from marg_harness.evidence.gather import Bench
from marg_harness.evidence.live import failed, only_rates_decide, with_live
from marg_harness.evidence.triage import corrected
from marg_harness.live_source import Live
from marg_harness.play import Play
from marg_harness.replay import load_all, replay
from marg_harness.target import ReferenceTarget
from marg_mock_model.endpoint import serve_in_thread
from marg_reports import RunRecord
from marg_reports.triage import BundleCell, CellRun, Evidence, IntentCell, LiveCell, RedFacts, RunsCell, classify
from marg_reports.triage.observed import red_signature

MACHINE = """\
machine: small
start: a
slips:
  - {slip: refuses, rate: %s, text: "I would rather not."}
states:
  a:
    transitions:
      - {when: {user_matches: hello}, reply: Hi., to: a}
"""
TURNS = "  - say: hello, who are you?\n    expect: {text: {contains: [Hi.]}}\n"
RATES = {"head": 0.9, "base": 0.05}


@dataclass(kw_only=True)
class Sides(Bench):
    """A bench whose runs are made in this process: each side has a machine of its own rate. `made_for` counts them."""

    path: Path = Path()
    rates: dict[str, float] = field(default_factory=lambda: dict(RATES))
    cut: tuple[int, ...] = ()
    made_for: list[str] = field(default_factory=list)

    def made(self, cell: Any, *, code: Any = "head", settings: Any = None, **more: Any) -> Any:
        """One run of a side."""
        self.made_for.append(code)
        run = drawn(self.path, rate=self.rates[code], seed=settings["seed"])
        if len(self.made_for) in self.cut:
            run = broken(run)
        workspace = SimpleNamespace(commit="c")
        return SimpleNamespace(
            result=SimpleNamespace(record=run),
            spec=SimpleNamespace(key="k", command="marg replay", workspace=workspace),
        )


RUNS: dict[tuple[float, int], RunRecord] = {}


def drawn(path: Path, *, rate: float, seed: int) -> RunRecord:
    """A run with a machine that slips at a rate; made once, for the same draw is the same run."""
    if (rate, seed) not in RUNS:
        Path("small.machine.yaml").write_text(MACHINE % rate, encoding="utf-8")
        RUNS[rate, seed] = replay(load_all([path]), target=ReferenceTarget(play=Play(seed=seed)))
    return RUNS[rate, seed]


def broken(run: RunRecord, *, kind: str = "reset") -> RunRecord:
    turn = replace(run.scenarios[0].turns[0], wire=({"phase": "broken", "kind": kind},))
    return replace(run, scenarios=(replace(run.scenarios[0], turns=(turn,)),))


@pytest.fixture
def sides(small: Callable[..., Path], tmp_path: Path) -> Sides:
    """A red that a slip made."""
    path = small(turns=TURNS, machine=MACHINE % 1.0)
    run = replay(load_all([path]), target=ReferenceTarget(play=Play()))
    assert run.reds()[0].check.owner == "model"
    return Sides(repository=tmp_path, base="b", run=run, cache=tmp_path, path=path)


def evidence(sides: Sides, *, digests: str = "other") -> Evidence:
    """What is known of the red before any live run: the same on both sides, and green with the script."""
    red = sides.reds[0]
    same = CellRun(outcome="fail", signature=red_signature(red), request_digests=("one",))
    older = replace(same, request_digests=(digests,))
    cells = (
        BundleCell(),
        IntentCell(declared=()),
        RunsCell(name="clean_wire", runs=(same,)),
        RunsCell(name="varied", runs=(CellRun(outcome="pass"),) * 3),
        RunsCell(name="base_runtime", runs=(older,)),
        RunsCell(name="base_pair", runs=(older,)),
    )
    facts = RedFacts(id=red.id, owner="model", signature=red_signature(red), replies="recorded", flake="refusal")
    return Evidence(red=facts, cells=cells)


def live(found: tuple[Evidence, ...]) -> LiveCell:
    cell = found[0].cell("live")
    assert isinstance(cell, LiveCell)
    return cell


def test_R6_a_rise_is_found_at_the_first_stage_that_can_show_it(sides: Sides) -> None:
    found = corrected(with_live(sides, [evidence(sides)], runs=40))
    cell = live(found)
    assert (cell.head.of, cell.base.of, cell.invalid) == (20, 20, 0)
    assert classify(found[0]).name == "regression.rate"


def test_R6b_a_rate_that_is_the_same_is_a_flake_once_all_runs_are_in(sides: Sides) -> None:
    sides.rates = dict.fromkeys(RATES, 0.05)
    found = corrected(with_live(sides, [evidence(sides)], runs=40))
    assert (live(found).head.of, live(found).base.of) == (40, 40)
    verdict = classify(found[0])
    assert (verdict.name, verdict.confidence) == ("model_flake.refusal", "statistical")


def test_five_runs_a_side_leave_the_red_open_with_the_command_for_more(sides: Sides) -> None:
    found = corrected(with_live(sides, [evidence(sides)], runs=5))
    verdict = classify(found[0])
    assert (verdict.name, verdict.command) == ("unclassified.more_runs", "marg triage {run} --live 40")


def test_a_run_whose_wire_broke_is_drawn_again_and_counted_apart(sides: Sides) -> None:
    sides.cut = (1, 3)
    cell = live(with_live(sides, [evidence(sides)], runs=5))
    assert (cell.head.of, cell.base.of, cell.invalid) == (5, 5, 2)
    assert sides.made_for.count("head") == 7


def test_where_requests_are_the_same_nothing_is_drawn(sides: Sides) -> None:
    settled = evidence(sides, digests="one")
    assert not only_rates_decide(settled)
    assert with_live(sides, [settled], runs=40) == (settled,)
    assert sides.made_for == []


def test_without_a_key_nothing_is_drawn_and_the_red_names_the_command(
    sides: Sides, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    sides.live_model = Live(model="openai:some")
    found = with_live(sides, [evidence(sides)], runs=40)
    assert (classify(found[0]).name, sides.made_for) == ("unclassified.no_key", [])
    assert "set OPENAI_API_KEY" in sides.reasons["live"]


def test_a_request_that_is_refused_is_no_broken_wire(sides: Sides) -> None:
    red = sides.reds[0]
    outcomes = [failed(red, broken(sides.run, kind=kind)) for kind in ("request", "reset")]
    assert (outcomes, failed(red, sides.run)) == ([True, None], True)


def test_a_real_model_is_asked_over_its_wire_and_each_seed_draws_anew(
    sides: Sides, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    Path("small.machine.yaml").write_text(MACHINE % 0.5, encoding="utf-8")
    with serve_in_thread(Path("small.machine.yaml")) as endpoint:
        model = Live(model="openai:mock", base_url=endpoint.openai_url)
        runs = [
            replay(load_all([sides.path]), target=ReferenceTarget(play=Play(seed=seed, live=model)))
            for seed in range(6)
        ]
    assert {len(run.reds()) for run in runs} == {0, 1}
    assert all(run.scenarios[0].turns[0].replies for run in runs)
