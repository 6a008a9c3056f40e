"""The planted faults: each still fits the runtime, and a handful is planted for real.

The whole list runs with `python -m benchmarks.mutants`.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from benchmarks.mutants import Fault, load_faults
from benchmarks.mutants.swap import swap

from marg_scenarios import find_kit

ROOT = Path(__file__).parents[2]
FAULTS = load_faults()
FEWEST = 45
HANDFUL = (
    "a plain no is a go-ahead",
    "an older card's yes counts",
    "the tool may change after the summary",
    "the model is called for ever",
)
SOUND = """
LIMIT = 3

def within(number):
    return number < LIMIT

class Box:
    @property
    def full(self):
        return within(9)
"""


def module(source: str) -> ModuleType:
    found = ModuleType("swapped")
    found.__file__ = "swapped.py"
    exec(compile(source, "swapped.py", "exec"), vars(found))
    return found


def test_enough_faults_are_planted() -> None:
    assert len(FAULTS) >= FEWEST


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_stands_in_its_file_once_and_leaves_a_program(fault: Fault) -> None:
    sound = fault.path.read_text(encoding="utf-8")
    planted = fault.planted(sound)
    assert planted != sound
    assert ast.parse(planted)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_names_the_rule_that_it_breaks_and_scenarios_that_are_there(fault: Fault) -> None:
    folder = find_kit("support_intake").scenarios
    assert fault.rule
    assert [name for name in fault.scenarios if not (folder / f"{name}.scenario.yaml").is_file()] == []
    assert fault.scenarios


def test_a_fault_whose_line_has_gone_is_refused() -> None:
    fault = Fault(name="n", rule="r", file="f.py", old="gone", new="x", scenarios=())
    with pytest.raises(ValueError, match=r"fault 'n': 'gone' stands 0 times in 'f\.py', not once"):
        fault.planted("here")


def test_a_handful_of_faults_is_caught_by_the_scenarios_that_are_named() -> None:
    only = [part for name in HANDFUL for part in ("--only", name)]
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.mutants", "--json", "--jobs", "2", *only],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    printed = json.loads(run.stdout)
    assert (printed["planted"], printed["caught"], printed["survivors"]) == (len(HANDFUL), len(HANDFUL), [])
    assert [fault["name"] for fault in printed["faults"] if not fault["as_expected"]] == []


def test_an_unknown_fault_is_a_usage_error() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.mutants", "--only", "nothing of that name"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (2, "no fault 'nothing of that name'; the names stand in faults.toml\n")


def test_a_swapped_function_runs_for_whoever_holds_it() -> None:
    found = module(SOUND)
    held, box = found.within, found.Box()
    assert swap(found, SOUND, SOUND.replace("number < LIMIT", "number > LIMIT"))
    assert (held(9), box.full) == (True, True)


def test_a_swapped_property_runs_changed() -> None:
    found = module(SOUND)
    assert swap(found, SOUND, SOUND.replace("within(9)", "within(1)"))
    assert found.Box().full


def test_what_a_module_does_while_it_is_imported_is_not_swapped() -> None:
    found = module(SOUND)
    assert not swap(found, SOUND, SOUND.replace("LIMIT = 3", "LIMIT = 4"))
    assert found.LIMIT == 3
