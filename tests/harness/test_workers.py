"""Replaying in several processes: the same records, whatever the number, and a process that dies is one crash."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from marg_harness.play import Play
from marg_harness.replay import load_all, replay, run_of
from marg_harness.workers import replay_in_workers
from marg_reports import RunRecord, lines_of

KIT = """\
import os
from dataclasses import replace
from marg_scenarios.support_intake.kit import KIT as SHIPPED

def _die():
    os._exit(7)

DYING = replace(SHIPPED, backend=_die)
"""


def in_workers(folder: Path, *, jobs: int, isolated: bool = False) -> RunRecord:
    scenarios = load_all([folder])
    order = {scenario.title: place for place, scenario in enumerate(scenarios)}
    records = replay_in_workers(scenarios, play=Play(), jobs=jobs, isolated=isolated)
    return run_of(sorted(records, key=lambda record: order[record.title]))


@pytest.mark.parametrize("isolated", [False, True])
def test_the_record_is_the_same_in_any_number_of_processes(
    small: Callable[..., Path], tmp_path: Path, isolated: bool
) -> None:
    for name in ("one", "two", "three"):
        small(name)
    alone = list(lines_of(replay(load_all([tmp_path]))))
    assert list(lines_of(in_workers(tmp_path, jobs=2, isolated=isolated))) == alone


def test_a_process_that_dies_is_a_crash_of_its_scenario_and_the_others_are_replayed(
    small: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "kit", raising=False)  # of another test's
    (tmp_path / "kit.py").write_text(KIT)
    small("one")
    dying = small("two")
    dying.write_text(dying.read_text().replace("domain: support_intake", "domain: ':DYING'"))
    small("zzz")
    run = in_workers(tmp_path, jobs=2)
    assert [red.id.rpartition("/")[2] for red in run.reds()] == ["two.scenario.yaml::two::say-hello::crash"]
    assert run.reds()[0].check.got == "the process died"
    assert [scenario.name for scenario in run.scenarios] == ["one", "two", "zzz"]


def test_the_workers_read_the_write_flag_of_nobody(
    small: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARG_ALLOW_WRITES", "true")
    small("one", turns="  - say: hello\n    expect: {write: {performed: 0}}\n")
    assert in_workers(tmp_path, jobs=2).reds() == ()
    assert os.environ["MARG_ALLOW_WRITES"] == "true"
