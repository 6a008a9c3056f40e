"""The runners of two forges, simulated: they run the steps of a job in order, with what the real ones set around them.

They know what our files use and refuse the rest: an action, an expression or a condition that is not here is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

MOST_SUMMARY = 1024 * 1024
MOST_ANNOTATIONS = 10
_EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
_COMMAND = re.compile(r"::(?P<name>[\w-]+)(?: (?P<properties>[^:]*))?::(?P<text>.*)")


def git(root: Path, *words: str) -> str:
    name = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "protocol.file.allow=always"]
    done = subprocess.run(["git", *name, *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@dataclass(kw_only=True)
class Job:
    """What a job left behind. code: 0, or of the step that failed. annotations: level, properties and text."""

    workspace: Path
    code: int = 0
    summary: str = ""
    log: str = ""
    annotations: list[tuple[str, str, str]] = field(default_factory=list)
    artifacts: dict[str, dict[str, str]] = field(default_factory=dict)
    installs: list[str] = field(default_factory=list)


REAL = f"exec '{sys.executable}' -c 'from marg_harness.cli import main; main()' \"$@\"\n"
"""The command itself, as a shell's script."""


def replayed(cells: Path) -> str:
    """The command, but for the replay: its record, and the cells of its triage, are those of an earlier job."""
    copied = f"mkdir -p .marg; cp -R '{cells}/.marg/evidence' '{cells}/.marg/run.jsonl' .marg/"
    return f'if [ "$1" = replay ]; then {copied}; exit 1; fi\n{REAL}'


def scripted(*, replay: int, triage: int) -> str:
    """A command that only exits with these codes; its triage writes each file that it is asked for, and its words."""
    return f"""\
mkdir -p .marg; echo "$*" >> .marg/words
if [ "$1" = replay ]; then echo > .marg/run.jsonl; exit {replay}; fi
while [ $# -gt 0 ]; do
  case $1 in --summary | --html | --annotations | --junit | --jsonl) [ {triage} = 2 ] || echo "$1" > "$2" ;; esac
  shift
done
exit {triage}
"""


def programs(folder: Path, *, marg: str) -> Path:
    """A folder with the programs of an installed job: `marg`, and a `python` whose pip only writes down its words."""
    folder.mkdir(parents=True)
    python = (
        f'if [ "$1 $2" = "-m pip" ]; then echo "$*" >> "{folder}/installs"; exit 0; fi\n'
        f"exec '{sys.executable}' \"$@\"\n"
    )
    for name, text in (("marg", marg), ("python", python)):
        (folder / name).write_text(f"#!/bin/sh\n{text}")
        (folder / name).chmod(0o755)
    return folder


def environment(folder: Path) -> dict[str, str]:
    """The environment of a runner: nothing of this test run's own but its language and home."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    return {**kept, "PATH": f"{folder}:{os.environ['PATH']}", "CI": "true"}


class GithubRunner:
    """Runs the one job of a workflow. github: what the context of that name holds. depth: of the checkout, where it is
    not as written. marg: the script of the command."""

    def __init__(
        self, *, origin: Path, folder: Path, github: Mapping[str, str], marg: str, depth: int | None = None
    ) -> None:
        self._origin, self._folder, self._depth = origin, folder, depth
        self._job = Job(workspace=folder / "work")
        self._job.workspace.mkdir(parents=True, exist_ok=True)
        (folder / "temp").mkdir()
        self._github = dict(github)
        self._programs = programs(folder / "bin", marg=marg)

    def run(self, workflow: Path) -> Job:
        """The job, run to its end: a step that failed ends it, but for those that run always."""
        jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
        (job,) = jobs.values()
        self._steps(job["steps"], inputs={})
        installs = self._programs / "installs"
        self._job.installs = installs.read_text().splitlines() if installs.exists() else []
        return self._job

    def _steps(self, steps: list[dict[str, Any]], *, inputs: Mapping[str, str]) -> None:
        outputs: dict[str, Mapping[str, str]] = {}

        def value(text: object) -> str:
            return _EXPRESSION.sub(lambda match: self._lookup(match[1], inputs, outputs), str(text))

        for step in steps:
            if not self._wanted(str(step.get("if", "")), inputs, outputs):
                continue
            given = {name: value(text) for name, text in step.get("with", {}).items()}
            if "uses" in step:
                self._use(step["uses"], given)
            else:
                environ = {name: value(text) for name, text in step.get("env", {}).items()}
                outputs[step.get("id", "")] = self._script(step["run"], environ, shell=step.get("shell"))

    def _lookup(self, name: str, inputs: Mapping[str, str], outputs: Mapping[str, Mapping[str, str]]) -> str:
        match name.split("."):
            case ["inputs", key]:
                return inputs[key]
            case ["steps", step, "outputs", key]:
                return outputs.get(step, {}).get(key, "")
            case ["github", *keys]:
                return self._github.get(".".join(keys), "")
            case ["runner", "temp"]:
                return str(self._folder / "temp")
        raise AssertionError(f"no expression {name!r} is simulated")

    def _wanted(self, condition: str, inputs: Mapping[str, str], outputs: Mapping[str, Mapping[str, str]]) -> bool:
        words = [part.strip() for part in _EXPRESSION.sub(r"\1", condition).split("&&") if part.strip()]
        if "!cancelled()" not in words and self._job.code:
            return False
        for word in words:
            compared = re.fullmatch(r"([\w.]+) != ''", word)
            assert compared or word == "!cancelled()", f"no condition {word!r} is simulated"
            if compared and not self._lookup(compared[1], inputs, outputs):
                return False
        return True

    def _use(self, action: str, given: Mapping[str, str]) -> None:
        match action.partition("@")[0]:
            case "actions/checkout":
                self._check_out(given)
            case "actions/setup-python":
                assert given["python-version"]
            case "actions/upload-artifact":
                self._upload(given)
            case local if local.startswith("./"):
                action_file = self._job.workspace / local / "action.yml"
                form = yaml.safe_load(action_file.read_text(encoding="utf-8"))
                assert set(given) <= set(form["inputs"]), "an input that the action has not"
                defaults = {name: str(about["default"]) for name, about in form["inputs"].items()}
                self._steps(form["runs"]["steps"], inputs={**defaults, **given})
            case other:
                raise AssertionError(f"no action {other!r} is simulated")

    def _check_out(self, given: Mapping[str, str]) -> None:
        """As the action does: the one commit, or with depth 0 everything, and HEAD detached."""
        root, reference = self._job.workspace, self._github["ref"]
        git(root, "init", "--quiet")
        git(root, "remote", "add", "origin", self._origin.as_uri())
        depth = int(given["fetch-depth"]) if self._depth is None else self._depth
        wanted = f"+{reference}:refs/remotes/checkout"
        if depth:
            git(root, "fetch", "--quiet", "--no-tags", f"--depth={depth}", "origin", wanted)
        else:
            git(root, "fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*", wanted)
        git(root, "checkout", "--quiet", "--detach", "refs/remotes/checkout")

    def _upload(self, given: Mapping[str, str]) -> None:
        folder = Path(given["path"])
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        shown = [file for file in files if not any(part.startswith(".") for part in file.relative_to("/").parts)]
        assert shown or given["if-no-files-found"] != "error", f"no files in {folder}"
        self._job.artifacts[given["name"]] = {file.relative_to(folder).as_posix(): file.read_text() for file in shown}

    def _script(self, text: str, environ: Mapping[str, str], *, shell: str | None) -> Mapping[str, str]:
        assert "${{" not in text, "an expression in a script is a hole: a branch's name could be a command"
        assert shell in (None, "bash"), f"no shell {shell!r} is simulated"
        script, files = self._folder / "step.sh", {}
        script.write_text(text)
        for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH"):
            files[name] = self._folder / name.lower()
            files[name].write_text("")
        done = subprocess.run(
            ["bash", *(["--noprofile", "--norc", "-eo", "pipefail"] if shell else ["-e"]), str(script)],
            cwd=self._job.workspace,
            env={
                **environment(self._programs),
                "GITHUB_ACTIONS": "true",
                "GITHUB_WORKSPACE": str(self._job.workspace),
                "GITHUB_EVENT_NAME": self._github["event_name"],
                "GITHUB_BASE_REF": self._github.get("base_ref", ""),
                "RUNNER_TEMP": str(self._folder / "temp"),
                **{name: str(file) for name, file in files.items()},
                **environ,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self._job.code = self._job.code or done.returncode
        self._job.log += done.stdout
        self._obey(done.stdout)
        summary = files["GITHUB_STEP_SUMMARY"].read_text()
        assert len(summary.encode()) <= MOST_SUMMARY, "the runner drops a summary of this size"
        self._job.summary += summary
        pairs = (line.partition("=") for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return {name: rest for name, _, rest in pairs}

    def _obey(self, log: str) -> None:
        """Take the commands of a step's log, of which the runner takes those with spaces before them too."""
        token, levels = "", dict.fromkeys(("error", "warning", "notice"), 0)
        for line in log.splitlines():
            command = _COMMAND.fullmatch(line.strip())
            if command is None or (token and command["name"] != token):
                continue
            if command["name"] == "stop-commands":
                token = command["text"]
            elif command["name"] == token:
                token = ""
            else:
                levels[command["name"]] += 1
                assert levels[command["name"]] <= MOST_ANNOTATIONS, "the runner shows no more of a level"
                found = (command["name"], command["properties"] or "", command["text"])
                self._job.annotations.append(found)


class GitlabRunner:
    """Runs the one job of a GitLab file in a checkout that is there."""

    def __init__(self, *, checkout: Path, folder: Path, variables: Mapping[str, str], marg: str) -> None:
        self._checkout, self._variables = checkout, variables
        self._programs = programs(folder / "bin", marg=marg)

    def run(self, file: Path) -> Job:
        """The job: its scripts are one script, and its artifacts are kept whatever became of it."""
        form = yaml.safe_load(file.read_text(encoding="utf-8"))
        (job,) = (part for part in form.values() if isinstance(part, dict) and "script" in part)
        given = {name: str(text) for name, text in job["variables"].items()}
        environ = {**environment(self._programs), "GITLAB_CI": "true", **given, **self._variables}
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", "\n".join([*job["before_script"], *job["script"]])],
            cwd=self._checkout,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert job["artifacts"]["when"] == "always", "a red job would leave nothing behind"
        reports = job["artifacts"]["reports"]
        kept = {
            "paths": self._read({path: path for path in job["artifacts"]["paths"]}),
            "reports": self._read(reports),
        }
        installs = (self._programs / "installs").read_text().splitlines()
        return Job(workspace=self._checkout, code=done.returncode, log=done.stdout, artifacts=kept, installs=installs)

    def _read(self, files: Mapping[str, str]) -> dict[str, str]:
        return {name: path.read_text() for name, file in files.items() if (path := self._checkout / file).is_file()}


KIT = """\
from dataclasses import replace
from marg_scenarios.support_intake.kit import KIT as SHIPPED

SAY = "{say}"
STEPS = tuple(replace(step, say=SAY) if step.key == "priority" else step for step in SHIPPED.domain.steps)
KIT = replace(SHIPPED, domain=replace(SHIPPED.domain, steps=STEPS))
"""
SCENARIO = """\
scenario: the fact
turns:
  - say: |-
      My login fails since this morning. I get error 500 on every try.
      ::error::what somebody typed
    expect: {block: priority}
  - tap: High
    expect: {facts: [Priority set to High.]}
"""
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with our files of CI: pull request 7 says another fact, and `main` has moved on meanwhile."""
    root = tmp_path_factory.mktemp("origin")
    git(root, "init", "--quiet", "--initial-branch=main")
    shutil.copytree(REPOSITORY / ".github", root / ".github")
    shutil.copy(REPOSITORY / ".gitlab-ci.yml", root)
    (root / ".gitignore").write_text("__pycache__/\n")
    scenarios = root / "scenarios"
    scenarios.mkdir()
    (scenarios / "fact.scenario.yaml").write_text(SCENARIO)

    def commit(say: str, message: str) -> None:
        (scenarios / "kit.py").write_text(KIT.format(say=say))
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--allow-empty", "-m", message)

    commit("Priority set to {v}.", "The desk")
    git(root, "checkout", "--quiet", "-b", "change")
    commit("Urgency set to {v}.", "Say urgency")
    git(root, "checkout", "--quiet", "main")
    (root / "later.txt").write_text("later\n")
    commit("Priority set to {v}.", "Later")
    git(root, "checkout", "--quiet", "--detach", "main")
    git(root, "merge", "--quiet", "--no-ff", "-m", "Merge", "change")
    git(root, "update-ref", "refs/pull/7/merge", "HEAD")
    git(root, "checkout", "--quiet", "main")
    return root


@pytest.fixture(scope="module")
def github(origin: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Job]:
    """Run our workflow for an event, with the command itself, with an earlier job's replay, or with codes alone."""

    def run(
        event: Mapping[str, str],
        *,
        cells: Path | None = None,
        codes: tuple[int, int] | None = None,
        depth: int | None = None,
    ) -> Job:
        marg = REAL if cells is None else replayed(cells)
        if codes is not None:
            marg = scripted(replay=codes[0], triage=codes[1])
        folder = tmp_path_factory.mktemp("github")
        runner = GithubRunner(origin=origin, folder=folder, github=event, depth=depth, marg=marg)
        return runner.run(REPOSITORY / ".github" / "workflows" / "marg.yml")

    return run


@pytest.fixture(scope="module")
def gitlab(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Job]:
    """Run our GitLab job in a copy of a checkout, with the replay of the job that it is of, or with codes alone."""

    def run(checkout: Path, variables: Mapping[str, str], *, codes: tuple[int, int] | None = None) -> Job:
        folder = tmp_path_factory.mktemp("gitlab")
        git(folder, "clone", "--quiet", "--no-local", str(checkout), "work")
        git(folder / "work", "fetch", "--quiet", str(checkout), "+refs/remotes/*:refs/remotes/*")
        marg = replayed(checkout) if codes is None else scripted(replay=codes[0], triage=codes[1])
        runner = GitlabRunner(checkout=folder / "work", folder=folder, variables=variables, marg=marg)
        return runner.run(REPOSITORY / ".gitlab-ci.yml")

    return run
