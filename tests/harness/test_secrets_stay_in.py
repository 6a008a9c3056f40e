"""No door lets a secret out, whatever hangs on it: a secret is planted in every text, and each output is searched."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from marg_harness import pytest_items
from marg_harness.cli import failures, probe
from marg_harness.cli.command_line import marg
from marg_harness.replay import replay_scenario
from marg_harness.script import Client
from marg_harness.target import ReferenceTarget, Target
from marg_harness.turn_replay import replay_turn
from marg_mock_model import parse_machine
from marg_mock_model.cassette import draft_machine, read_cassette, serve_recorder
from marg_mock_model.endpoint import serve
from marg_reports import ScenarioRecord
from marg_runtime.errors import MargError
from marg_runtime.ledger import Entry, encode
from marg_runtime.probe.report import ProbeReport, ProbeRow
from marg_runtime.scrub import REMOVED
from marg_runtime.store import open_store
from marg_runtime.tools.tool import ToolName
from marg_scenarios import Scenario, load_scenarios

pytest_plugins = ["pytester"]

KEY = "corp-Horse7battery-staple"
MARK = "hunter"
"""Every planted secret but the environment's has it in it, and nothing else has."""
SK = "sk-proj-" + "hunter4KlMnOpQrStUv"
TEXT = (
    f"Authorization: Bearer {MARK}1secretvalue\\nx-api-key: {MARK}2secretvalue\\n"
    f"see postgresql://bob:{MARK}3secretvalue@db.example/x and https://a.example/v1?key={MARK}5secretvalue&q=1; "
    f"{SK}, sk-ant-api03-{MARK}6AbCdEfGh, Bearer {MARK}7tokenvalue, password={MARK}8secretvalue and {KEY}"
)
SAID = TEXT.replace("\\n", "\n")

MACHINE = """\
machine: m
start: a
states:
  a:
    transitions:
      - {when: {user_matches: .}, reply: Hi., to: a}
"""
SCENARIO = f"""\
scenario: a talk with a key {SK}
domain: support_intake
machine: small.machine.yaml
tags: [key]
turns:
  - say: "{TEXT}"
    model:
      - text: "{TEXT}"
    expect:
      text: {{contains: ["{TEXT} more"]}}
      model_calls: 2
"""
REPORT = f"""\
<testsuites><testsuite name="s"><testcase classname="c" name="t {SK}" file="t.py">
<failure message="it said {SAID.replace("&", "&amp;")}">{SAID.replace("&", "&amp;")}</failure>
</testcase></testsuite></testsuites>
"""


def holds_nothing(text: str) -> None:
    """What must be so of whatever left by a door."""
    lowered = text.lower()
    assert MARK not in lowered, lowered[max(0, lowered.find(MARK) - 200) :][:400]
    assert KEY.lower() not in lowered


@pytest.fixture(autouse=True)
def key_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("COLUMNS", "5000")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one red scenario, and another runner's report."""
    (tmp_path / "small.machine.yaml").write_text(MACHINE, encoding="utf-8")
    (tmp_path / "a.scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "junit.xml").write_text(REPORT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said_by(*arguments: str, code: int, given: str = "") -> str:
    """What a command prints, on both streams, with its error as the command line shows it."""
    done = CliRunner().invoke(marg, arguments, input=given)
    text = done.output
    if isinstance(done.exception, MargError):
        with CliRunner().isolation() as streams:
            found = failures.explain(done.exception)
            text += streams[0].getvalue().decode() + streams[1].getvalue().decode()
        assert found == code, text
    else:
        assert done.exit_code == code, (text, done.exception)
    return text


JUNIT = ("--junit", "out.xml")
REPLAYS: Mapping[str, tuple[str, ...]] = {
    "table": JUNIT,
    "json": (*JUNIT, "--json"),
    "repetitions": (*JUNIT, "--repeat", "2"),
    "coverage": (*JUNIT, "--coverage"),
    "steps": ("--step",),
    "shrunk": ("--shrink",),
    "shrunk_json": ("--shrink", "--json"),
    "update": ("--update", "--force", "--yes"),
    "update_json": ("--update", "--force", "--yes", "--json"),
}


@pytest.mark.parametrize("options", REPLAYS.values(), ids=REPLAYS)
def test_a_replay_prints_and_keeps_no_secret(options: tuple[str, ...], here: Path) -> None:
    said = said_by("replay", ".", *options, code=1, given="e\nr\n\n")
    assert "[removed]" in said or "--repeat" in options
    holds_nothing(said)
    files = (*here.glob(".marg/*.jsonl"), *here.glob("out.xml"))
    assert len(files) >= (2 if "--junit" in options else 0)
    for file in files:
        holds_nothing(file.read_text(encoding="utf-8"))


def test_what_has_a_secret_is_not_written_into_a_scenario(here: Path) -> None:
    said_by("replay", ".", "--update", "--force", "--yes", code=1)
    assert (here / "a.scenario.yaml").read_text(encoding="utf-8").count(MARK) == SCENARIO.count(MARK)


def test_the_checks_of_a_replay_see_what_was_really_said(here: Path) -> None:
    green = SCENARIO.replace(" more", "").replace("model_calls: 2", "model_calls: 1")
    (here / "a.scenario.yaml").write_text(green, encoding="utf-8")
    said_by("replay", ".", code=0)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_reading_shows_no_secret_of_the_reply_nor_of_its_tokens(more: tuple[str, ...]) -> None:
    said = said_by("read", f"yes, password: {MARK}8secretvalue and {SK}", "--question", "Create it?", *more, code=0)
    assert "yes" in said
    holds_nothing(said)


@pytest.mark.parametrize("command", ["list", "check"])
def test_scenarios_are_listed_without_secrets(command: str, here: Path) -> None:
    holds_nothing(said_by("scenario", command, str(here), code=0) + said_by("scenario", command, ".", "--json", code=0))


@pytest.mark.parametrize("breaks", [False, True])
def test_pytest_prints_and_writes_no_secret(
    breaks: bool, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pytester.path / "small.machine.yaml").write_text(MACHINE, encoding="utf-8")
    (pytester.path / "a.scenario.yaml").write_text(SCENARIO, encoding="utf-8")

    def told(scenario: Scenario, *, target: Target) -> ScenarioRecord:
        print(SAID)
        logging.getLogger("x").warning(SAID)
        if breaks:
            raise RuntimeError(SAID)
        return replay_scenario(scenario, target=target)

    monkeypatch.setattr(pytest_items, "replay_scenario", told)
    done = pytester.runpytest_inprocess(
        "-rA", "-p", "no:cacheprovider", "--junitxml=out.xml", "-o", "junit_logging=all"
    )
    text = "\n".join((*done.outlines, *done.errlines, (pytester.path / "out.xml").read_text(encoding="utf-8")))
    done.assert_outcomes(failed=1)
    assert text.count("[removed]") > 10
    holds_nothing(text)


def test_the_reason_of_a_label_holds_no_secret(here: Path) -> None:
    said_by("triage", "junit.xml", code=1)
    said = said_by("reds", "label", "t", "pre_existing", "--because", SAID, "--author", "me", code=0)
    holds_nothing(said + (here / ".marg" / "labels.jsonl").read_text(encoding="utf-8"))


FILES = ("jsonl", "html", "junit", "ctrf", "summary", "annotations", "code-quality", "parquet")


def test_a_triage_and_what_is_made_of_it_hold_no_secret(here: Path) -> None:
    (here / "reports").mkdir()
    wanted = [part for name in FILES for part in (f"--{name}", f"reports/out.{name}")]
    said = said_by("triage", "junit.xml", *wanted, "--allure", "reports/allure", code=1)
    said += said_by("triage", "junit.xml", "--json", code=1)
    said += said_by("explain", "t", code=0) + said_by("explain", "t", "--json", code=0)
    holds_nothing(said)
    for file in (path for path in here.rglob("*") if path.is_file() and path.parent != here):
        holds_nothing(file.read_bytes().decode("latin-1"))


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_report_that_somebody_else_wrote_is_explained_and_told_without_secrets(
    more: tuple[str, ...], here: Path
) -> None:
    said_by("triage", "junit.xml", "--jsonl", "kept.jsonl", code=1)
    folder = here / "reports"
    folder.mkdir()
    leaky = (here / "kept.jsonl").read_text(encoding="utf-8").replace("[removed]", SK)
    (folder / "one.jsonl").write_text(leaky, encoding="utf-8")
    assert MARK in leaky
    said = said_by("explain", "t", "--report", "reports/one.jsonl", *more, code=0)
    holds_nothing(said + said_by("history", "reports", "--html", "page.html", *more, code=0))
    holds_nothing((here / "page.html").read_text(encoding="utf-8"))


ERRORS: Mapping[str, tuple[tuple[str, ...], int]] = {
    "store": (("sessions", "list", "--store", f"postgresql://bob:{MARK}9pw@127.0.0.1:1/x?password={MARK}9pw"), 3),
    "no store": (("sessions", "list", "--store", f"//bob:{MARK}9pw@127.0.0.1/x"), 2),
    "other store": (("sessions", "list", "--store", f"mysql://bob:{MARK}9pw@127.0.0.1/x"), 2),
    "session": (("sessions", "show", SK, "--store", "memory:"), 2),
    "base url": (("replay", ".", "--base-url", f"http://bob:{MARK}9pw@127.0.0.1/v1?key={MARK}9pw"), 2),
    "model": (("replay", ".", "--model", f"openai:x {SK}", "--over", "openai_chat"), 2),
    "target": (("replay", ".", "--target", f"http://bob:{MARK}9pw@127.0.0.1:1/?key={MARK}9pw"), 3),
    "no target": (("target", "check", f"http://bob:{MARK}9pw@:x/"), 2),
    "probe": (("probe", f"http://127.0.0.1:1/mcp?key={MARK}9pw"), 2),
    "ledger": (("record", "--ledger", "a.jsonl"), 2),
    "record": (("triage", "a.jsonl"), 2),
    "path": (("replay", f"{SK}.scenario.yaml"), 2),
    "known": (("replay", f"{KEY}.scenario.yaml"), 2),
    "upstream": (("mock", "record", "--upstream", f"bob:{MARK}9pw@x?key={MARK}9pw", "--cassette", "c.jsonl"), 2),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_says_no_secret(name: str, here: Path) -> None:
    arguments, code = ERRORS[name]
    # What shows the beginning of a line shows a part of a secret at most where nobody removed it before.
    (here / "a.jsonl").write_text(f'["{"x" * 40}{KEY}', encoding="utf-8")
    holds_nothing(said_by(*arguments, code=code))


def test_a_defect_shows_its_traceback_without_secrets(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.excepthook", None)
    with pytest.raises(RuntimeError) as raised:
        failures.explain(RuntimeError(SAID))
    sys.excepthook(RuntimeError, raised.value, raised.value.__traceback__)
    said = capsys.readouterr().err
    assert "RuntimeError" in said
    holds_nothing(said)


def test_a_probe_prints_and_writes_no_secret(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    report = ProbeReport(
        tool=ToolName(server="s", name="make"),
        server=f"desk {SK}",
        schema={},
        record={"note": SAID, "api_key": f"{MARK} open"},
        closed=(),
        rows=(ProbeRow(field="note", case="stripped", says="refuses", did="broke", note=SAID),),
        made=(SAID,),
    )
    monkeypatch.setattr(probe, "opened_target", lambda asked, *, contract: nullcontext())
    monkeypatch.setattr(probe, "run_probe", lambda *given, **options: report)
    wanted = ("--md", "a.md", "--json-file", "a.json", "--contract", "a.yaml")
    said = said_by("probe", "http://127.0.0.1:1", *wanted, code=1)
    said += said_by("probe", "http://127.0.0.1:1", "--json", code=1)
    assert said.count(REMOVED) > 3
    holds_nothing(said + "".join((here / f"a.{name}").read_text(encoding="utf-8") for name in ("md", "json", "yaml")))
    holds_nothing(said_by("probe", "http://127.0.0.1:1", "--check", "a.yaml", code=0))


@pytest.fixture
def ledger(here: Path) -> list[Entry]:
    """The ledger of a session in which a person said secrets, in a store and in a file."""
    scenario = load_scenarios(here / "a.scenario.yaml")[0]

    async def talked() -> list[Entry]:
        async with ReferenceTarget().converse(scenario) as conversation:
            await replay_turn(scenario.turns[0], Client(), conversation)
            entries = list(await conversation.session.entries(after=0))
        store = await open_store(f"sqlite:///{here / 's.db'}")
        await store.append("one", entries)
        await store.close()
        return entries

    entries = asyncio.run(talked())
    (here / "talk.jsonl").write_text("\n".join(encode(entry) for entry in entries), encoding="utf-8")
    return entries


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_the_ledger_of_a_session_is_data_and_shown_as_it_is(
    more: tuple[str, ...], ledger: list[Entry], here: Path
) -> None:
    said = said_by("sessions", "show", "one", "--store", f"sqlite:///{here / 's.db'}", *more, code=0)
    assert said.count(KEY) == sum(encode(entry).count(KEY) for entry in ledger)


def test_a_scenario_that_is_recorded_of_a_session_holds_no_secret(ledger: list[Entry], here: Path) -> None:
    arguments = ("record", "--ledger", "talk.jsonl", "--scripted", "--machine", "small.machine.yaml")
    printed = said_by(*arguments, code=0)
    assert "secrets were removed" in printed
    said_by(*arguments, "--output", "seen.scenario.yaml", code=0)
    holds_nothing(printed + (here / "seen.scenario.yaml").read_text(encoding="utf-8"))


def test_what_a_library_logs_is_printed_without_secrets(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    CliRunner().invoke(marg, ["schema", "--help"])
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    try:
        raise RuntimeError(SAID)
    except RuntimeError:
        logging.getLogger("uvicorn.error").exception("broke: %s", SK)
    said = capsys.readouterr().err
    assert "Traceback" in said
    holds_nothing(said)


HEADERS = {
    "authorization": f"Bearer {MARK}-11-client",
    "x-api-key": f"{MARK}-12-client",
    "cookie": f"sid={MARK}-13",
    "x-more": f"see {SK}",
}
BODY = {
    "model": "m",
    "stream": True,
    "api_key": f"{MARK}-14-field",
    "messages": [{"role": "user", "content": f"{SAID} and {MARK}-12-client"}],
}


async def _asked(address: str, path: str = "/v1/chat/completions") -> httpx.Response:
    async with httpx.AsyncClient() as client:
        return await client.post(f"{address}{path}?key={MARK}15query", json=BODY, headers=HEADERS)


MODEL = parse_machine(
    f"""
machine: leaky
start: a
states:
  a:
    transitions:
      - {{when: {{user_matches: .}}, reply: "{TEXT}", to: b}}
  b: {{ends: true}}
""",
    path="leaky.machine.yaml",
)


def test_the_journal_and_the_verdict_of_a_mock_hold_no_secret(tmp_path: Path) -> None:
    async def asked() -> str:
        async with serve(MODEL, journal=tmp_path / "journal.jsonl", faults="truncated@1:after=40") as endpoint:
            await _asked(endpoint.address)
            await _asked(endpoint.address, "/v1/nowhere")
            async with httpx.AsyncClient() as client:
                found = [await client.get(f"{endpoint.address}/_marg/{what}") for what in ("journal", "verdict")]
            return "".join(one.text for one in found)

    text = asyncio.run(asked())
    assert "[removed]" in text
    holds_nothing(text + (tmp_path / "journal.jsonl").read_text(encoding="utf-8"))


def test_a_cassette_and_the_machine_drafted_of_it_hold_no_secret(tmp_path: Path) -> None:
    cassette = tmp_path / "a.cassette.jsonl"

    async def recorded() -> str:
        async with serve(MODEL) as endpoint, serve_recorder(endpoint.address, cassette=cassette) as recorder:
            return (await _asked(recorder.address)).text

    assert MARK in asyncio.run(recorded())
    text = cassette.read_text(encoding="utf-8")
    holds_nothing(text)
    assert _streamed(text) != ""
    holds_nothing(_streamed(text))
    holds_nothing(draft_machine(read_cassette(cassette), name="a").text)
    holds_nothing(said_by("mock", "draft", str(cassette), code=0))


def _streamed(cassette: str) -> str:
    """The text of a cassette's stream, its pieces put together."""
    chunks = json.loads(cassette.splitlines()[1])["answer"]["chunks"]
    events = [json.loads(one[6:]) for one in chunks if one.startswith("data: {")]
    return "".join(one["choices"][0]["delta"].get("content") or "" for one in events if one["choices"])
