"""flakemap, a published tool that tells flaky tests from broken ones by a history of JUnit reports.

It is run as its users run it: a folder of reports, ten runs of the base's branch, then the red run and its three
reruns, which have one commit. What it calls broken is a regression where it once passed in that history, and older than
it where it never did.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.reds.baselines.baseline import FLAKY
from benchmarks.reds.case import RedCase
from marg_reports.triage import RedClass
from marg_runtime.errors import UsageError

HAS_FLAKEMAP = find_spec("flakemap") is not None
HEAD = "head"
SECONDS = 600


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a test went in one run. run: its place in the history, from 0; commit: the runs of one are reruns."""

    run: int
    commit: str
    passed: bool


def flakemap(cases: Sequence[RedCase]) -> Sequence[RedClass]:
    """The class of each red by the history of its test. Raises UsageError where flakemap cannot be run."""
    with tempfile.TemporaryDirectory(prefix="flakemap-") as folder:
        write_history(cases, Path(folder))
        said = _analysis(Path(folder))
    return [_class(said.get(_name(number))) for number in range(len(cases))]


def write_history(cases: Sequence[RedCase], folder: Path) -> None:
    """A report for every run, each in a folder of its own with its commit and its place: a test for each red."""
    runs: dict[int, list[tuple[int, RedCase, Outcome]]] = {}
    for number, case in enumerate(cases):
        for outcome in outcomes(case):
            runs.setdefault(outcome.run, []).append((number, case, outcome))
    for place, entries in sorted(runs.items()):
        suite = ET.Element("testsuite", name="reds", tests=str(len(entries)))
        for number, case, outcome in entries:
            test = ET.SubElement(suite, "testcase", classname="reds", name=_name(number), time="0.1")
            if not outcome.passed:
                ET.SubElement(test, "failure", message="".join(filter(str.isprintable, case.message)))
        home = folder / f"run-{place:03}"
        home.mkdir()
        (home / "report.xml").write_bytes(ET.tostring(suite, encoding="utf-8", xml_declaration=True))
        meta = {"run_id": f"run-{place:03}", "commit": entries[0][2].commit, "branch": "main", "sequence": place}
        (home / "meta.json").write_text(json.dumps(meta), encoding="utf-8")


def outcomes(case: RedCase) -> Iterator[Outcome]:
    """The history of a red's test, the oldest first; the red itself is a failure."""
    for run, passed in enumerate(case.history):
        yield Outcome(run=run, commit=f"base-{run}", passed=passed)
    for again, passed in enumerate((False, *case.retries)):
        # Every run has one place for all tests, however long the history of each is.
        yield Outcome(run=_FIRST_OF_HEAD + again, commit=HEAD, passed=passed)


_FIRST_OF_HEAD = 100


def _name(number: int) -> str:
    return f"red_{number:05}"


def _analysis(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """What flakemap says of each test, by its name."""
    if not HAS_FLAKEMAP:
        raise UsageError("no module 'flakemap': pip install flakemap, or leave this baseline out")
    done = subprocess.run(
        [sys.executable, "-m", "flakemap", str(folder), "--json"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise UsageError(f"flakemap ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return {str(test["test"]).rpartition(".")[2]: test for test in json.loads(done.stdout)["tests"]}


def _class(said: Mapping[str, Any] | None) -> RedClass:
    match None if said is None else said["classification"]:
        case "flaky":
            return FLAKY
        case "broken" if said is not None:
            return "pre_existing" if said["runs"]["pass"] == 0 else "regression"
    return "unclassified"
