"""Triage end to end: a repository with a base and a head, real replays in processes of their own, and the verdicts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.evidence.git import git
from marg_reports.report import TriageReport, read_report

KIT = """\
from dataclasses import replace
from marg_scenarios.support_intake.kit import KIT as SHIPPED

SAY = "{say}"
STEPS = tuple(replace(step, say=SAY) if step.key == "priority" else step for step in SHIPPED.domain.steps)
KIT = replace(SHIPPED, domain=replace(SHIPPED.domain, steps=STEPS))
"""
SCENARIO = """\
scenario: {name}
turns:
  - say: My login fails since this morning. I get error 500 on every try.
    expect: {{block: priority}}
  - tap: High
    id: urgency
    expect: {expect}
"""
FACT = "{facts: [Priority set to High.]}"
BOTH = {"Priority set to {v}.": FACT, "Urgency set to {v}.": "{facts: [Urgency is High.]}"}


def write(root: Path, *, say: str, expect: str) -> None:
    (root / "kit.py").write_text(KIT.format(say=say))
    (root / "fact.scenario.yaml").write_text(SCENARIO.format(name="the fact", expect=FACT))
    (root / "draft.scenario.yaml").write_text(SCENARIO.format(name="the draft", expect=expect))
    (root / "both.scenario.yaml").write_text(SCENARIO.format(name="both", expect=BOTH[say]))


def commit(root: Path, message: str = "c", *options: str) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "--quiet", "-m", message, *options)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The head says another fact than the base, expects more of the draft than the base did, and of another scenario
    both were edited, to a fact that nobody says."""
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "--quiet", "--initial-branch=trunk")
    (root / ".gitignore").write_text("__pycache__/\n")
    write(root, say="Priority set to {v}.", expect="{draft: {priority: high}}")
    commit(root)
    git(root, "checkout", "--quiet", "-b", "change")
    write(root, say="Urgency set to {v}.", expect="{draft: {priority: urgent}}")
    commit(root)
    return root


def command(root: Path, *arguments: str) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        # A kit of another test's has the same module name.
        patch.delitem(sys.modules, "kit", raising=False)
        return CliRunner().invoke(marg, [*arguments], catch_exceptions=False)


@pytest.fixture(scope="module")
def triaged(repository: Path) -> Result:
    """What `marg triage` did after a replay that was red."""
    assert command(repository, "replay", ".").exit_code == 1
    files = ["--html", ".marg/page.html", "--junit", ".marg/junit.xml", "--parquet", ".marg/t.parquet"]
    return command(repository, "triage", "--base", "trunk", *files)


@pytest.fixture(scope="module")
def report(triaged: Result, repository: Path) -> TriageReport:
    assert triaged.exit_code == 1
    return read_report(repository / ".marg" / "triage.jsonl")


def test_a_changed_runtime_is_a_regression_and_a_changed_check_is_brittle(report: TriageReport) -> None:
    assert {red.place.scenario: red.verdict.name for red in report.reds} == {
        "the fact": "regression.behaviour",
        "the draft": "brittle_check.tightened",
        "both": "regression.behaviour",
    }


def test_a_scenario_that_was_edited_with_the_runtime_is_a_regression_and_a_note(report: TriageReport) -> None:
    notes = {red.place.scenario: red.verdict.note for red in report.reds}
    assert (notes["the fact"], notes["the draft"]) == ("", "")
    assert notes["both"].endswith("expect-change: both.scenario.yaml::both::urgency::facts")


def test_a_commit_that_says_expect_change_makes_no_regression_of_the_red(
    report: TriageReport, repository: Path
) -> None:
    head = git(repository, "rev-parse", "HEAD").strip()
    message = "Say urgency\n\nexpect-change: both::urgency\nexpect-change: what is green by now"
    commit(repository, message, "--allow-empty")
    found = command(repository, "triage", "--base", "trunk", "--json")
    git(repository, "reset", "--quiet", "--soft", head)
    classes = {red["id"].split("::")[1]: (red["class"], red["sub"]) for red in json.loads(found.stdout)["reds"]}
    assert classes["both"] == ("unclassified", "intended_change")
    assert classes["the fact"] == ("regression", "behaviour")


def test_every_cell_names_the_commit_and_the_command_that_replays_it(report: TriageReport, repository: Path) -> None:
    regression = next(red for red in report.reds if red.place.scenario == "the fact")
    squares = {square.cell: square for square in regression.squares}
    assert squares["base_runtime"].commit == git(repository, "rev-parse", "trunk").strip()[:12]
    assert squares["clean_wire"].command.startswith("marg replay ")


def test_the_files_that_were_asked_for_are_there(report: TriageReport, repository: Path) -> None:
    names = ("page.html", "junit.xml", "t.parquet")
    assert all((repository / ".marg" / name).stat().st_size for name in names)


def test_explain_shows_the_rule_the_evidence_and_what_is_nearest(report: TriageReport, repository: Path) -> None:
    text = command(repository, "explain", "the fact").output
    assert "red: regression.behaviour (proven, rule R4)" in text
    assert "base_runtime: pass" in text


def test_explain_refuses_what_names_no_red_and_what_names_several(report: TriageReport, repository: Path) -> None:
    from marg_runtime.errors import UsageError

    with pytest.raises(UsageError, match="no red has 'nothing'"):
        command(repository, "explain", "nothing")
    with pytest.raises(UsageError, match="3 reds have 'urgency'"):
        command(repository, "explain", "urgency")


def test_a_second_triage_takes_every_cell_from_the_cache(report: TriageReport, repository: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in (repository / ".marg" / "evidence" / "cells").iterdir()}
    again = command(repository, "triage", "--base", "trunk", "--json")
    after = {file: file.stat().st_mtime_ns for file in (repository / ".marg" / "evidence" / "cells").iterdir()}
    assert after == before
    assert json.loads(again.stdout)["counts"]["regression"] == 2


def test_a_label_turns_the_gate_and_never_hides_the_verdict(report: TriageReport, repository: Path) -> None:
    labelled = command(repository, "reds", "label", "the fact", "brittle_check", "--because", "it was reworded")
    assert labelled.exit_code == 0
    again = command(repository, "triage", "--base", "trunk", "--json")
    assert again.exit_code == 1  # the other regression stands
    red = next(one for one in json.loads(again.stdout)["reds"] if "the fact" in one["id"])
    assert (red["class"], red["rule"], red["labelled"]) == ("brittle_check", "R4", True)
    (repository / ".marg" / "labels.jsonl").unlink()


def test_without_a_base_nothing_is_a_regression_and_the_command_is_said(report: TriageReport, repository: Path) -> None:
    alone = command(repository, "triage", "--json")
    verdicts = {red["id"].split("::")[1]: red["command"] for red in json.loads(alone.stdout)["reds"]}
    assert alone.exit_code == 1
    assert verdicts["the fact"] == "marg triage .marg/run.jsonl --base REV"


def test_a_record_that_was_cut_is_unclassified_and_asks_for_another_replay(
    report: TriageReport, repository: Path
) -> None:
    whole = (repository / ".marg" / "run.jsonl").read_text().splitlines()
    (repository / ".marg" / "cut.jsonl").write_text("\n".join(whole[:-1]))
    found = command(repository, "triage", ".marg/cut.jsonl", "--base", "trunk", "--json")
    classes = {red["class"] for red in json.loads(found.stdout)["reds"]}
    assert classes == {"unclassified"}
    assert "marg replay" in json.loads(found.stdout)["reds"][0]["command"]


@pytest.mark.parametrize(("gate", "code"), [("all", 1), ("none", 0)])
def test_the_gate_decides_the_exit_code(report: TriageReport, repository: Path, gate: str, code: int) -> None:
    assert command(repository, "triage", "--base", "trunk", "--gate", gate, "--json").exit_code == code


def test_what_is_kept_is_no_part_of_the_head(report: TriageReport, repository: Path) -> None:
    assert git(repository, "status", "--porcelain") == ""
    assert (repository / ".marg" / ".gitignore").read_text() == "*\n"


def test_history_shows_since_when_a_check_is_red(report: TriageReport, repository: Path) -> None:
    folder = repository / ".marg" / "runs"
    folder.mkdir(exist_ok=True)
    text = (repository / ".marg" / "triage.jsonl").read_text()
    (folder / "run-1.jsonl").write_text(text)
    found = json.loads(command(repository, "history", str(folder), "--html", ".marg/history.html", "--json").stdout)
    assert found["runs"] == ["run-1"]
    assert {check["first_red"] for check in found["checks"]} == {"run-1"}
    assert (repository / ".marg" / "history.html").read_text().startswith("<!doctype html>")
