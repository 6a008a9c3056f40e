"""The files of CI work: their forms are valid, and a simulated runner runs their steps to the summary and the gate."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
import yaml
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner

from marg_reports.render import class_of, junit_classes

REPOSITORY = Path(__file__).parents[2]
PULL = {"event_name": "pull_request", "ref": "refs/pull/7/merge", "base_ref": "main"}


class Ran(Protocol):
    """What a simulated job left behind."""

    workspace: Path
    code: int
    summary: str
    log: str
    annotations: list[tuple[str, str, str]]
    artifacts: dict[str, dict[str, str]]
    installs: list[str]


RunGithub = Callable[..., Ran]


@pytest.fixture(scope="module")
def pull(github: RunGithub) -> Ran:
    """The workflow's job for a pull request that broke a fact."""
    return github(PULL)


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("vendor.github-workflows", ".github/workflows/marg.yml"),
        ("vendor.github-actions", ".github/actions/marg/action.yml"),
        ("vendor.gitlab-ci", ".gitlab-ci.yml"),
    ],
)
def test_each_file_is_of_its_forges_schema(schema: str, file: str) -> None:
    result = CliRunner().invoke(check_jsonschema, ["--builtin-schema", schema, str(REPOSITORY / file)])
    assert result.exit_code == 0, result.output


def test_the_workflow_installs_and_may_only_read() -> None:
    form: dict[Any, Any] = yaml.safe_load((REPOSITORY / ".github/workflows/marg.yml").read_text())
    assert form["permissions"] == {"contents": "read"}


def test_a_regression_of_a_pull_request_stops_its_job(pull: Ran) -> None:
    assert (pull.code, pull.installs) == (1, ["-m pip install -c constraints.txt .[mcp]"])


def test_the_summary_says_what_is_red_and_since_which_base(pull: Ran) -> None:
    assert pull.summary.startswith("## Marg: 1 red in 1 scenario\n")
    assert "**regression.behaviour** (proven, R4)" in pull.summary
    assert ", base `" in pull.summary


def test_the_red_is_annotated_at_its_line_and_nothing_that_was_typed_commands_the_runner(pull: Ran) -> None:
    assert "::error::what somebody typed" in pull.log
    ((level, properties, text),) = pull.annotations
    assert (level, properties) == ("error", "file=scenarios/fact.scenario.yaml,line=8,title=regression.behaviour")
    assert class_of(text) == "regression"


def test_the_page_and_the_reports_are_an_artifact(pull: Ran) -> None:
    files = pull.artifacts["marg"]
    assert set(files) >= {"marg.html", "junit.xml", "triage.jsonl", "run.jsonl", "summary.md"}
    assert files["marg.html"].startswith("<!doctype html>")
    assert list(junit_classes(files["junit.xml"]).values()) == ["regression"]


def test_the_checkout_holds_nothing_that_would_be_a_part_of_the_head(pull: Ran) -> None:
    assert not [path for path in pull.workspace.iterdir() if path.name not in (".git", ".marg", *pull_files())]


def pull_files() -> set[str]:
    return {".github", ".gitlab-ci.yml", ".gitignore", "scenarios", "later.txt"}


def test_without_its_history_a_checkout_has_no_base_and_the_command_that_fetches_it(
    github: RunGithub, pull: Ran
) -> None:
    job = github(PULL, cells=pull.workspace, depth=1)
    red = json.loads(job.artifacts["marg"]["triage.jsonl"].splitlines()[-1])
    assert (job.code, red["verdict"]["sub"]) == (1, "no_base")
    assert red["verdict"]["command"] == (
        "git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*' && "
        "marg triage .marg/run.jsonl --base origin/main"
    )


@pytest.mark.parametrize(
    ("codes", "code"),
    [((0, 0), 0), ((1, 0), 0), ((1, 1), 1), ((1, 3), 3)],
    ids=["green", "no regression", "a regression", "not measured"],
)
def test_the_triages_code_is_the_jobs_and_its_artifact_is_kept(
    github: RunGithub, codes: tuple[int, int], code: int
) -> None:
    job = github(PULL, codes=codes)
    assert (job.code, job.summary) == (code, "--summary\n")
    assert "marg.html" in job.artifacts["marg"]


@pytest.mark.parametrize("codes", [(2, 0), (3, 0), (1, 2)], ids=["bad input", "nothing replayed", "bad options"])
def test_what_measured_nothing_stops_the_job_with_its_own_code(github: RunGithub, codes: tuple[int, int]) -> None:
    job = github(PULL, codes=codes)
    assert (job.code, job.summary, job.artifacts) == (max(codes), "", {})


@pytest.mark.parametrize(
    ("event", "base"),
    [
        (PULL, " --base origin/main "),
        ({"event_name": "push", "ref": "refs/heads/main", "event.before": "0" * 40}, " --gate "),
        ({"event_name": "push", "ref": "refs/heads/main", "event.before": "BEFORE"}, " --base BEFORE "),
        ({**PULL, "base_ref": "$(touch owned)"}, " --base origin/$(touch owned) "),
    ],
    ids=["pull request", "first push", "push", "hostile branch"],
)
def test_each_event_has_its_base(github: RunGithub, pull: Ran, event: dict[str, str], base: str) -> None:
    before = (pull.workspace / ".git" / "refs" / "remotes" / "origin" / "change").read_text().strip()
    event = {name: before if text == "BEFORE" else text for name, text in event.items()}
    job = github(event, codes=(1, 1))
    (words,) = (line for line in (job.workspace / ".marg" / "words").read_text().splitlines() if "triage" in line)
    assert base.replace("BEFORE", before) in words
    assert ("--base" in words) == ("--base" in base)
    assert not (job.workspace / "owned").exists()


def test_a_merge_request_has_the_red_in_its_tests_and_beside_its_changes(gitlab: Callable[..., Ran], pull: Ran) -> None:
    job = gitlab(pull.workspace, {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "refs/remotes/origin/main"})
    assert (job.code, job.installs) == (1, ["-m pip install -c constraints.txt .[mcp]"])
    assert list(junit_classes(job.artifacts["reports"]["junit"]).values()) == ["regression"]
    (issue,) = json.loads(job.artifacts["reports"]["codequality"])
    assert issue["severity"] == "blocker"
    assert issue["location"] == {"path": "scenarios/fact.scenario.yaml", "lines": {"begin": 8}}
    assert ".marg/marg.html" in job.artifacts["paths"]


@pytest.mark.parametrize("codes", [(0, 0), (1, 3), (2, 0)], ids=["green", "not measured", "bad input"])
def test_a_gitlab_job_ends_with_the_triages_code_or_with_that_of_a_replay_that_could_not_be(
    gitlab: Callable[..., Ran], pull: Ran, codes: tuple[int, int]
) -> None:
    assert gitlab(pull.workspace, {"CI_COMMIT_BEFORE_SHA": "0" * 40}, codes=codes).code == max(codes)
