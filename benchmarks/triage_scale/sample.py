"""A small repository with a red of each class, triaged for real: a base, a head, three triages, nothing made up.

The head says another fact (regression), expects more of a draft than the base did (brittle: tightened), expects texts
in another letter case and says that case is not meant (brittle: case), and adds a check that the old code fails too
(pre-existing). One machine slips always (model flake); one run goes over a wire that breaks (transport); one is triaged
without a base (unclassified).
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from marg_harness.evidence.git import git
from marg_reports.report import TriagedRed, read_report

KIT = """\
from dataclasses import replace
from marg_scenarios.support_intake.kit import KIT as SHIPPED

SAY = "{say}"
STEPS = tuple(replace(step, say=SAY) if step.key == "priority" else step for step in SHIPPED.domain.steps)
KIT = replace(SHIPPED, domain=replace(SHIPPED.domain, steps=STEPS))
"""
REPORTED = "say: My login fails since this morning. I get error 500 on every try."
SCENARIO = """\
scenario: {name}
{machine}turns:
  - {reported}
    id: report
    expect: {{{report}}}
  - tap: High
    id: urgency
    expect: {{{urgency}}}
"""
SLIP = "\nslips:\n  - {slip: empty, rate: 1.0, states: [listening]}\n"
FAULTS = "truncated%1.0:after=1"
SORRY = "text: {contains: [I am sorry to hear that]}"


@dataclass(frozen=True, kw_only=True)
class Case:
    """A scenario of the sample: what its two turns expect, on the base where that differs."""

    name: str
    report: str = "block: priority"
    urgency: str = "block: category"
    base_urgency: str | None = None
    machine: str = ""

    def text(self, *, base: bool) -> str:
        """The scenario's file on a side."""
        urgency = self.base_urgency if base and self.base_urgency is not None else self.urgency
        machine = f"machine: {self.machine}\n" if self.machine else ""
        return SCENARIO.format(name=self.name, machine=machine, reported=REPORTED, report=self.report, urgency=urgency)


CASES = (
    Case(name="the fact", urgency="facts: [Priority set to High.]"),
    Case(name="the draft", urgency="draft: {priority: urgent}", base_urgency="draft: {priority: high}"),
    Case(
        name="the case",
        urgency="draft: {priority: HIGH}, canonical: {draft: [case]}",
        base_urgency="draft: {priority: high}",
    ),
    Case(name="the old defect", urgency="draft: {priority: high}, drawn: [visibility]", base_urgency="block: category"),
    Case(name="the model", report=SORRY, machine="slips.machine.yaml"),
    Case(name="the wire", report=f"block: priority, {SORRY}"),
)


def make_sample(root: Path) -> None:
    """Make the repository in a new folder: the branch `trunk` with the base, the branch `change` with the head."""
    git(root.parent, "init", "--quiet", "--initial-branch=trunk", str(root))
    (root / ".gitignore").write_text(".marg/\n__pycache__/\n", encoding="utf-8")
    machine = files("marg_scenarios.support_intake").joinpath("support_intake.machine.yaml").read_text("utf-8")
    (root / "slips.machine.yaml").write_text(machine.rstrip() + "\n" + SLIP, encoding="utf-8")
    _write(root, base=True)
    _commit(root, "base")
    git(root, "checkout", "--quiet", "-b", "change")
    _write(root, base=False)
    _commit(root, "head")


def triaged_sample(root: Path) -> tuple[TriagedRed, ...]:
    """The reds of the sample's runs, each as `marg triage` left it. Raises CalledProcessError where a command fails."""
    _marg(root, "replay", ".", "--quiet", codes=(1,))
    found = list(_triaged(root, "--base", "trunk"))
    found += _triaged(root)
    _marg(root, "replay", ".", "-k", "the wire", "--over", "openai_chat", "--faults", FAULTS, "--quiet", codes=(1,))
    found += _triaged(root, "--base", "trunk")
    return tuple(found)


def _triaged(root: Path, *arguments: str) -> tuple[TriagedRed, ...]:
    _marg(root, "triage", *arguments, "--quiet", "--gate", "none", codes=(0,))
    return read_report(root / ".marg" / "triage.jsonl").reds


def _marg(root: Path, *arguments: str, codes: tuple[int, ...]) -> None:
    command = [sys.executable, "-c", "from marg_harness.cli import main; main()", *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode not in codes:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)


def _write(root: Path, *, base: bool) -> None:
    say = "Priority set to {v}." if base else "Urgency set to {v}."
    (root / "kit.py").write_text(KIT.format(say=say), encoding="utf-8")
    for case in CASES:
        name = case.name.replace(" ", "_")
        (root / f"{name}.scenario.yaml").write_text(case.text(base=base), encoding="utf-8")


def _commit(root: Path, message: str) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "--quiet", "-m", message)
