"""`marg triage` over reports that pytest itself wrote: classes, renderings, gates, and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.cli.failures import EXIT_USAGE, explain
from marg_harness.triage_reports import DEFAULT_REPORT
from marg_reports.render import allure_class, class_of, ctrf_classes, junit_classes
from marg_reports.report import read_report
from marg_runtime.errors import MargError

TILL = """\
def total(prices):
    return sum(prices) + {extra}

def change(paid, due):
    return due - paid
"""
TEST_TILL = """\
import pytest
from till import change, total

def test_total():
    assert total([1, 2]) == 3, "the till is out"

def test_change():
    assert change(5, 3) == 2

def test_nothing():
    assert total([]) in (0, 1)

@pytest.mark.skip(reason="not today")
def test_idle():
    raise OSError
"""
RUNS = """\
import pytest, sys
for name in sys.argv[1:]:
    pytest.main(["-q", "-p", "pytest_reportlog.plugin", "-p", "no:cacheprovider", f"--rootdir={name.split('/')[0]}",
                 f"--junitxml={name}.xml", f"--report-log={name}.jsonl", name.split("/")[0]])
"""
CLASSES = {"test_total": "regression", "test_change": "pre_existing"}
NUMBERS = range(1, 6)
EVIDENCE = [
    *("--hermetic", "--same-checks"),
    *(word for number in NUMBERS for word in ("--rerun", f"head/rerun-{number}.xml")),
    *(word for number in NUMBERS for word in ("--base", f"base/base-{number}.xml")),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A till that the change broke, its tests, and what pytest wrote of either side, in both of its formats."""
    root = tmp_path_factory.mktemp("tills")
    for side, extra in (("base", 0), ("head", 1)):
        (root / side).mkdir()
        (root / side / "till.py").write_text(TILL.format(extra=extra))
        (root / side / "test_till.py").write_text(TEST_TILL)
        first = ["head/junit"] if side == "head" else []
        kind = "rerun" if side == "head" else "base"
        names = [*first, *(f"{side}/{kind}-{number}" for number in NUMBERS)]
        environ = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        environ.pop("PYTEST_ADDOPTS", None)
        subprocess.run([sys.executable, "-c", RUNS, *names], cwd=root, env=environ, check=True, capture_output=True)
    return root


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


def triage(*arguments: str) -> Result:
    return CliRunner().invoke(marg, ["triage", *arguments])


def classes(result: Result) -> dict[str, str]:
    reds = json.loads(result.stdout)["reds"]
    return {red["id"].rpartition("::")[2]: red["class"] for red in reds}


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    result = triage(*arguments)
    assert isinstance(result.exception, MargError), result.output
    assert explain(result.exception) == EXIT_USAGE
    return capsys.readouterr().err


def test_a_report_alone_is_unclassified_and_names_the_reports_that_would_decide(here: Path) -> None:
    result = triage("head/junit.xml", "--json")
    red = json.loads(result.stdout)["reds"][0]
    assert (result.exit_code, set(classes(result).values())) == (1, {"unclassified"})
    assert red["command"].startswith("marg triage head/junit.xml --hermetic --rerun=rerun-{1..5}.xml --base-code=")
    assert "rerun-*: this commit again" in red["command"]


@pytest.mark.parametrize("suffix", [".xml", ".jsonl"])
def test_pytests_reports_are_classified_in_either_format(here: Path, suffix: str) -> None:
    words = [word.replace(".xml", suffix) for word in EVIDENCE]
    result = triage(f"head/junit{suffix}", *words, "--json")
    assert (result.exit_code, classes(result)) == (1, CLASSES)


def test_the_printed_command_decides_once_its_reports_are_there(folder: Path, tmp_path: Path) -> None:
    for side, kind in (("head", "rerun"), ("base", "base")):
        for number in NUMBERS:
            (tmp_path / f"{kind}-{number}.xml").write_bytes((folder / side / f"{kind}-{number}.xml").read_bytes())
    (tmp_path / "head.xml").write_bytes((folder / "head" / "junit.xml").read_bytes())
    program = f"marg() {{ '{sys.executable}' -c 'from marg_harness.cli import main; main()' \"$@\"; }}; "

    def run(command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", program + command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1, done.stderr
        return done.stdout

    reds = json.loads(run("marg triage head.xml --same-checks --json"))["reds"]
    command, _, comment = reds[0]["command"].partition("  # ")
    assert "base-*: the base as it was" in comment
    decided = json.loads(run(f"{command} --json"))["reds"]
    assert {red["id"].rpartition("::")[2]: red["class"] for red in decided} == CLASSES


def test_explain_shows_the_rates_the_statements_and_the_rules(here: Path) -> None:
    triage("head/junit.xml", *EVIDENCE)
    text = CliRunner().invoke(marg, ["explain", "test_total"]).output
    assert (
        "red: regression.behaviour (statistical, rule R4, head 5/5, base's code 0/5; "
        "stated: no network and the same tests on both sides)" in text
    )
    assert "test_till::test_total (head/test_till.py:5)" in text
    assert "base_runtime: pass in 5 runs" in text


def test_the_class_can_be_read_back_from_every_format(here: Path) -> None:
    out = here / "out"
    out.mkdir(exist_ok=True)
    names = ("jsonl", "html", "junit", "ctrf", "summary", "annotations", "code-quality", "allure")
    triage("head/junit.xml", *EVIDENCE, *(word for name in names for word in (f"--{name}", f"out/{name}")))
    text = {name: (out / name).read_text() for name in names if name != "allure"}
    ids = {f"test_till::{name}": red_class for name, red_class in CLASSES.items()}
    assert {red.place.id: red.red_class for red in read_report(out / "jsonl").reds} == ids
    assert {name: found for name, found in junit_classes(text["junit"]).items() if found} == ids
    assert ctrf_classes(text["ctrf"]) == ids
    files = [file.read_text() for file in (out / "allure").glob("*-result.json")]
    assert sorted(name for one in files if (name := allure_class(one))) == sorted(ids.values())
    assert {issue["check_name"] for issue in json.loads(text["code-quality"])} == {"red.regression", "red.pre_existing"}
    assert all(class_of(issue["description"]) in ids.values() for issue in json.loads(text["code-quality"]))
    assert [line.split(" ")[0] for line in text["annotations"].splitlines()] == ["::error", "::warning"]
    assert "regression.behaviour" in text["summary"]
    assert "red: regression.behaviour" in text["html"]


@pytest.mark.parametrize(("gate", "code"), [("regressions", 1), ("all", 1), ("none", 0)])
def test_the_gate_decides_the_exit_code(here: Path, gate: str, code: int) -> None:
    assert triage("head/junit.xml", *EVIDENCE, "--gate", gate).exit_code == code


def test_a_run_without_a_red_is_green(here: Path) -> None:
    Path("green.xml").write_text('<testsuite><testcase classname="a" name="b"/></testsuite>')
    assert triage("green.xml").exit_code == 0


def test_a_change_that_means_a_red_says_so_by_a_part_of_its_id(here: Path) -> None:
    found = classes(triage("head/junit.xml", *EVIDENCE, "--expect-change", "test_total", "--json"))
    assert found == {**CLASSES, "test_total": "unclassified"}


def test_the_report_is_kept_for_labels(here: Path) -> None:
    triage("head/junit.xml", *EVIDENCE)
    words = ["reds", "label", "test_total", "brittle_check", "--because", "the till was redone", "--labels", "l.jsonl"]
    assert CliRunner().invoke(marg, words).exit_code == 0
    assert triage("head/junit.xml", *EVIDENCE, "--labels", "l.jsonl").exit_code == 0
    assert DEFAULT_REPORT.is_file()


def test_a_folder_in_which_a_runner_wrote_a_report_a_suite_is_one_run(here: Path) -> None:
    suites = here / "suites"
    suites.mkdir(exist_ok=True)
    for name in ("a", "b"):
        (suites / f"TEST-{name}.xml").write_text(
            f'<testsuite failures="1"><testcase classname="{name}" name="t"><failure/></testcase></testsuite>'
        )
    assert len(json.loads(triage("suites", "--json").stdout)["reds"]) == 2


SUREFIRE = (
    '<testsuite name="org.example.TillTest" time="{number}" failures="{failures}">'
    '<testcase name="adds" classname="org.example.TillTest">{failure}</testcase></testsuite>'
)
SUREFIRE_FAILURE = (
    '<failure message="{number}" type="java.lang.AssertionError">java.lang.AssertionError: {number}\n'
    "\tat org.example.Till.add(Till.java:{number})\n\tat org.example.TillTest.adds(TillTest.java:14)</failure>"
)
JEST = (
    '<testsuites name="jest tests"><testsuite name="till" time="{number}" failures="{failures}">'
    '<testcase classname="till adds" name="till adds">{failure}</testcase></testsuite></testsuites>'
)
JEST_FAILURE = "<failure>Error: {number}\n    at Object.&lt;anonymous&gt; (src/till.test.js:12:{number})</failure>"
CTRF = (
    '{{"reportFormat": "CTRF", "results": {{"summary": {{"start": {number}}}, "tests": '
    '[{{"name": "adds", "duration": 1, {failure}}}]}}}}'
)
CTRF_FAILURE = '"status": "failed", "trace": "Error\\n    at x (src/till.test.js:12:{number})", "message": "{number}"'
DIALECTS = {
    "surefire": (SUREFIRE, SUREFIRE_FAILURE, ""),
    "jest": (JEST, JEST_FAILURE, ""),
    "ctrf": (CTRF, CTRF_FAILURE, '"status": "passed"'),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("base_fails", "name"), [(False, "regression.behaviour"), (True, "pre_existing.defect")])
def test_a_red_of_any_runner_is_judged_by_its_base(here: Path, dialect: str, base_fails: bool, name: str) -> None:
    whole, failure, passed = DIALECTS[dialect]

    def report(number: int, *, fails: bool) -> str:
        path = Path(f"{dialect}-{base_fails}-{number}")
        said = (failure if fails else passed).format(number=number)
        path.write_text(whole.format(number=number, failures=int(fails), failure=said))
        return str(path)

    reruns = [word for number in range(1, 6) for word in ("--rerun", report(number, fails=True))]
    bases = [word for number in range(6, 11) for word in ("--base", report(number, fails=base_fails))]
    found = triage(report(0, fails=True), "--hermetic", "--same-checks", *reruns, *bases, "--json")
    (red,) = json.loads(found.stdout)["reds"]
    assert f"{red['class']}.{red['sub']}" == name


def test_tests_that_are_stated_to_be_the_same_and_are_not_are_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (here / "base" / "base-1.xml").read_text().replace("test_nothing", "test_else")
    Path("other.xml").write_text(text)
    said = refused(capsys, "head/junit.xml", "--same-checks", "--base", "other.xml")
    assert "'test_till::test_else' is in 'other.xml' and not in 'head/junit.xml'" in said


def test_the_history_of_other_runners_reports_is_shown_like_ours(here: Path) -> None:
    Path("runs").mkdir(exist_ok=True)
    triage("head/junit.xml", *EVIDENCE, "--jsonl", "runs/1.jsonl")
    shown = json.loads(CliRunner().invoke(marg, ["history", "runs", "--json"]).stdout)
    assert {check["id"]: check["first_red"] for check in shown["checks"]}["test_till::test_total"] == "1"


BAD = {
    "no report": ("x.txt", b"plain text", "x.txt"),
    "cut": ("cut.xml", b"<testsuites>\n<testsuite>", "cut.xml:2: no XML"),
    "other XML": ("page.xml", b"<html/>", "page.xml:1: the root is 'html'"),
    "no tests": ("none.xml", b"<testsuites/>", "none.xml: it has no test case"),
    "a bad CTRF": ("c.json", b'{"results": {"tests": [{}]}}', "c.json: no CTRF: results.tests.0.name"),
    "a cut log": ("l.jsonl", b'{"$report_type": "SessionStart"}\n', "l.jsonl: the log has no end"),
    "of other tests": (
        "else.xml",
        b'<testsuite><testcase classname="z" name="z"/></testsuite>',
        "none of the 1 cases of 'else.xml' is in 'head/junit.xml'",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_report_beside_it_is_refused_with_what_and_where(
    here: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    name, data, said = BAD[kind]
    Path(name).write_bytes(data)
    assert said in refused(capsys, "head/junit.xml", "--rerun", name)


def test_a_report_that_is_given_twice_counts_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "head/junit.xml", "--rerun", "head/rerun-1.xml", "--rerun", "head/rerun-1.xml")
    assert "'head/rerun-1.xml' is the same report as 'head/rerun-1.xml'" in said
    assert "is the same report as 'head/junit.xml'" in refused(capsys, "head/junit.xml", "--rerun", "head/junit.xml")


def test_a_revision_is_no_report_of_a_base(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "run the tests at the merge base" in refused(capsys, "head/junit.xml", "--base", "origin/main")


@pytest.mark.parametrize("option", [["--rerun", "r.xml"], ["--alone", "r.xml"], ["--hermetic"], ["--same-checks"]])
def test_what_only_other_runners_reports_take_is_refused_for_a_run_of_ours(
    here: Path, capsys: pytest.CaptureFixture[str], option: list[str]
) -> None:
    Path("run.jsonl").write_text('{"record":"run","format":1,"scenarios":0,"turns":0,"checks":0}\n')
    assert "is replayed for its evidence: marg triage RUN --base REV" in refused(capsys, "run.jsonl", *option)


def test_an_expected_change_that_is_no_red_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "expect-change 'zzz' is no red" in refused(capsys, "head/junit.xml", "--expect-change", "zzz")


def test_secrets_are_in_no_output(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILL_API_KEY", "open-sesame-1234")
    Path("secret.xml").write_text(
        '<testsuite><testcase classname="a" name="b"><failure message="key open-sesame-1234"/></testcase></testsuite>'
    )
    result = triage("secret.xml", "--html", "secret.html")
    assert "open-sesame-1234" not in Path("secret.html").read_text() + DEFAULT_REPORT.read_text()
    assert "open-sesame-1234" not in result.output
