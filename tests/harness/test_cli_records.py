"""Every command that reads a record or a report exits 2, with the file and what to do, where there is none to read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_harness.cli.failures import EXIT_USAGE, explain
from marg_reports.report import report_lines, triage_report
from marg_runtime.errors import MargError

COMMANDS = {
    "triage": ["triage", "{file}"],
    "explain": ["explain", "x", "--report", "{file}"],
    "history": ["history", "{file}"],
    "label": ["reds", "label", "x", "regression", "--because", "y", "--report", "{file}"],
    "last failed": ["replay", "{scenarios}", "--last-failed", "--output", "{file}"],
    "record": ["record", "--ledger", "{file}", "--domain", "support_intake"],
}
GARBLED = {
    "missing": None,
    "empty": b"",
    "no JSON": b"one\ntwo\n",
    "no object": b"[1]\n",
    "another record": b'{"record":"else"}\n',
    "a bare head": b'{"record":"triage","format":1,"checks":0,"reds":0}\n',
    "a head of another kind": b'{"record":"run","format":1,"settings":3}\n',
    "of another release": b'{"record":"run","format":99}\n{"record":"triage","format":99}\n',
    "no text": b"\xff\xfe\x00",
    "too deep": b"[" * 200_000,
}
SCENARIO = "scenario: a\ndomain: support_intake\nturns:\n  - say: hello\n"


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and the paragraph of a command that is to fail."""
    result = CliRunner().invoke(marg, arguments)
    assert isinstance(result.exception, MargError), result.output
    return explain(result.exception), capsys.readouterr().err


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.scenario.yaml").write_text(SCENARIO)
    return {"file": "r.jsonl", "scenarios": "a.scenario.yaml"}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("garbled", GARBLED)
def test_what_is_no_record_is_bad_input(
    command: str, garbled: str, words: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    content = GARBLED[garbled]
    if content is not None:
        Path("r.jsonl").write_bytes(content)
    code, text = said([word.format(**words) for word in COMMANDS[command]], capsys)
    assert (code, "r.jsonl" in text) == (EXIT_USAGE, True), text


@pytest.mark.parametrize(
    ("command", "next_step"),
    [("triage", "marg replay"), ("explain", "marg triage"), ("label", "marg triage"), ("last failed", "marg replay")],
)
def test_a_record_that_is_not_there_is_said_with_what_writes_it(
    command: str, next_step: str, words: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, text = said([word.format(**words) for word in COMMANDS[command]], capsys)
    assert f"write one first: {next_step}" in text


@pytest.mark.parametrize("command", ["triage", "explain", "label"])
def test_a_folder_is_no_record(command: str, words: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("r.jsonl").mkdir()
    code, text = said([word.format(**words) for word in COMMANDS[command]], capsys)
    assert (code, "'r.jsonl' is a folder" in text) == (EXIT_USAGE, True)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"red":"a"}', b"\xff"])
def test_damaged_labels_are_bad_input(
    content: bytes, words: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("labels.jsonl").write_bytes(content)
    Path("r.jsonl").write_text('{"record":"run","format":1,"scenarios":0,"turns":0,"checks":0}\n')
    subprocess.run(["git", "init", "--quiet"], check=True)
    commit = ["git", "-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "--quiet", "--allow-empty"]
    subprocess.run([*commit, "-m", "c"], check=True)
    code, text = said(["triage", "r.jsonl", "--labels", "labels.jsonl"], capsys)
    assert (code, "labels.jsonl" in text) == (EXIT_USAGE, True)


def test_a_class_that_there_is_not_is_refused_with_the_nearest(
    words: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    from marg_reports.report import CheckLine, Place, TriagedRed
    from marg_reports.triage import Verdict

    place = Place(path="a", scenario="b", turn="c", check="x", line=1)
    verdict = Verdict(red_class="regression", sub="crash", confidence="proven", rule="R4")
    red = TriagedRed(
        place=place, kind="k", owner="runtime", expected="1", got="2", differences=(), transcript=(), verdict=verdict
    )
    checks = (CheckLine(place=place, attempts=(False,)),)
    report = triage_report(version="0", head="", base="", checks=checks, reds=(red,))
    Path("r.jsonl").write_text("".join(f"{line}\n" for line in report_lines(report)))
    code, text = said(["reds", "label", "x", "regressio", "--because", "y", "--report", "r.jsonl"], capsys)
    assert (code, "did you mean 'regression'?" in text) == (EXIT_USAGE, True)


def test_the_command_itself_exits_2_with_one_paragraph(tmp_path: Path) -> None:
    code = "from marg_harness.cli import main; main()"
    command = [sys.executable, "-c", code, "triage"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (EXIT_USAGE, "", 1)
    assert "there is no run record '.marg/run.jsonl'; write one first: marg replay PATH" in done.stderr
