"""A replay's paths are from the folder in which it was asked for, wherever a kit goes meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from marg_harness.replay import load_all, replay

KIT = """\
import os
from dataclasses import replace

from marg_scenarios.support_intake.kit import KIT as DESK

KIT = replace(DESK, checks={"gone_elsewhere": lambda observation, given: os.chdir(given) is None})
"""
SCENARIO = "scenario: {name}\nturns:\n  - say: Hello\n    expect: {{custom: {{gone_elsewhere: '{folder}'}}}}\n"


def test_a_kit_that_changes_the_folder_leaves_it_to_the_next_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("elsewhere").mkdir()
    Path("kit.py").write_text(KIT, encoding="utf-8")
    for name in ("a", "b"):
        # From where the first one went, there is no folder of this name.
        Path(f"{name}.scenario.yaml").write_text(SCENARIO.format(name=name, folder="elsewhere"), encoding="utf-8")
    run = replay(load_all([Path()]))
    assert ([one.path for one in run.scenarios], run.reds()) == (["a.scenario.yaml", "b.scenario.yaml"], ())
    assert os.getcwd() == str(tmp_path)
