"""Targets of the protocol: what they report is judged as the runtime's own is, what they do not is not measured."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from marg_harness.agent_target import AgentTarget
from marg_harness.errors import TargetError
from marg_harness.named_target import beyond_loopback, named_target, opener
from marg_harness.python_agent import opener_of
from marg_harness.replay import load_all, replay, replay_scenario
from marg_harness.scenario_agent import ScenarioAgent
from marg_reports import RunRecord, ScenarioRecord, lines_of
from marg_reports.record_reading import record_of
from marg_runtime.errors import UsageError
from marg_runtime.gateway import Agent
from marg_runtime.gateway.protocol import Report
from marg_runtime.gateway.serving import serve_in_thread
from marg_scenarios import Scenario, find_kit, load_scenario

HEAD = "scenario: s\ndomain: support_intake\nturns:\n"
# One of every ability: other machines, scripts, faults, waiting, restarts, rehearsals, acts at once, other kits.
SHOWN = (
    "card_waits",
    "expired_summary",
    "creates_early",
    "early_create",
    "restart_in_the_middle",
    "two_at_once",
    "write_with_no_answer",
    "died_over_a_write",
    "plain_yes",
    "reload",
)


class Parrot:
    """A target that says what it was told, and reports what a test has it report."""

    def __init__(self, *, able: tuple[str, ...] = (), **report: Any) -> None:
        self._able, self._report = able, report
        self.sent: list[Mapping[str, Any]] = []

    def describe(self) -> dict[str, Any]:
        return {"protocol": 1, "name": "parrot", "reports": sorted(self._report), "able": self._able}

    def open(self, opening: Mapping[str, Any]) -> dict[str, Any]:
        return {"id": "1"}

    def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
        self.sent.append(sent)
        return {"reports": [{"texts": [{"text": act.get("text", "")}], **self._report} for act in sent["acts"]]}

    def close(self, conversation: str) -> dict[str, Any]:
        return {}


def written(folder: Path, turns: str, *, head: str = HEAD) -> Scenario:
    path = folder / "x.scenario.yaml"
    path.write_text(head + turns, encoding="utf-8")
    return load_scenario(path)


def replayed(scenario: Scenario, made: Any, *, seconds: float = 30) -> ScenarioRecord:
    return replay_scenario(scenario, target=AgentTarget(opener_of(made, seconds=seconds)))


def judged(record: ScenarioRecord) -> dict[str, str]:
    return {check.id: "passed" if check.passed else "red" if check.red else "not measured" for check in record.checks}


@pytest.mark.parametrize(
    ("expect", "report"),
    [
        ("reading: content", {"reading": "content"}),
        ("draft: {priority: high}", {"draft": {"values": {"priority": {"value": "high"}}}}),
        ("facts: [Noted.]", {"facts": ["Noted."]}),
        (
            "tools_only: [create_ticket: {title: x}]",
            {"calls": [{"tool": "create_ticket", "arguments": {"title": "x"}}]},
        ),
        ("gate: [{trigger: go_ahead, guard: refused}]", {"gate": [{"trigger": "go_ahead", "guard": "refused"}]}),
        ("write: {attempted: 1, performed: 1}", {"gate": [{"trigger": "go_ahead", "guard": "allowed"}], "writes": 1}),
        ("question: none", {"question": None}),
        ("model_calls: 1", {"requests": [{"system": "s"}]}),
        ("block: none", {"block": None}),
    ],
)
def test_a_part_that_is_reported_is_judged_and_one_that_is_not_is_not_measured(
    tmp_path: Path, expect: str, report: dict[str, Any]
) -> None:
    scenario = written(tmp_path, f"  - say: hello\n    expect:\n      {expect}\n")
    verdicts = [list(judged(replayed(scenario, Parrot(**given))).values()) for given in (report, {})]
    assert verdicts == [["passed"], ["not measured"]]


@pytest.mark.parametrize("counts", ["in its report", "as it is closed"])
def test_G8_a_target_that_wrote_is_red_where_no_check_looks_at_writes(tmp_path: Path, counts: str) -> None:
    class Writes(Parrot):
        def close(self, conversation: str) -> dict[str, Any]:
            return {"writes": 2}

    scenario = written(tmp_path, "  - {say: hello, expect: {text: {contains: [hello]}}}\n")
    record = replayed(scenario, Writes() if counts == "as it is closed" else Parrot(writes=2))
    assert (judged(record), record.writes) == ({"text": "passed", "written": "red"}, 2)


def test_a_report_that_is_otherwise_is_a_red(tmp_path: Path) -> None:
    scenario = written(tmp_path, "  - say: hello\n    expect: {reading: content, text: {contains: [hello]}}\n")
    assert judged(replayed(scenario, Parrot(reading="plain_yes"))) == {"reading": "red", "text": "passed"}


def test_the_reason_names_what_is_not_reported(tmp_path: Path) -> None:
    scenario = written(tmp_path, "  - say: hello\n    expect: {write: {attempted: 0, performed: 0}}\n")
    (check,) = replayed(scenario, Parrot()).checks
    assert check.got == "the target does not report: gate, writes"


def test_a_layer_that_no_decision_has_is_not_measured(tmp_path: Path) -> None:
    scenario = written(tmp_path, "  - say: hello\n    expect: {gate: [{skill: allowed}]}\n")
    (check,) = replayed(scenario, Parrot(gate=[{"trigger": "go_ahead", "guard": "allowed"}])).checks
    assert (check.measured, check.got) == (False, "the target does not report: gate layer skill")


@pytest.mark.parametrize(
    ("turns", "ability"),
    [
        ("  - {wait: 1000}\n  - {say: a, expect: {text: {contains: [a]}}}\n", "clock"),
        ("  - {restart: true}\n  - {say: a, expect: {text: {contains: [a]}}}\n", "restart"),
        ("  - {say: a, model: {text: b}, expect: {text: {contains: [a]}}}\n", "script"),
        ("  - {id: c, concurrent: [{id: d, say: a, expect: {text: none}}, {id: e, say: b}]}\n", "together"),
    ],
)
def test_a_scenario_that_asks_for_more_than_a_target_can_do_is_not_measured(
    tmp_path: Path, turns: str, ability: str
) -> None:
    record = replayed(written(tmp_path, turns), Parrot())
    because = f"the target is not able to do what the scenario asks for: {ability}"
    assert [(check.measured, check.got) for check in record.checks] == [(False, because)]


def test_a_target_of_another_domain_measures_nothing(tmp_path: Path) -> None:
    class Elsewhere(Parrot):
        def describe(self) -> dict[str, Any]:
            return {**super().describe(), "domains": ["inn"]}

    record = replayed(written(tmp_path, "  - {say: a, expect: {text: {contains: [a]}}}\n"), Elsewhere())
    assert (judged(record), record.writes) == ({"text": "not measured"}, None)


def test_an_error_of_the_targets_is_a_crash_of_that_turn(tmp_path: Path) -> None:
    class Breaks(Parrot):
        def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
            raise RuntimeError("out of order")

    record = replayed(written(tmp_path, "  - {say: a}\n  - {say: b}\n"), Breaks())
    (crash,) = record.checks
    assert (crash.kind, "RuntimeError: out of order" in str(crash.got), len(record.turns)) == ("crash", True, 1)


def test_a_target_that_does_not_answer_in_time_is_a_crash(tmp_path: Path) -> None:
    class Hangs(Parrot):
        async def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:  # type: ignore[override]
            await asyncio.Event().wait()
            raise AssertionError("nobody sets it")

    (crash,) = replayed(written(tmp_path, "  - {say: a}\n"), Hangs(), seconds=0.05).checks
    assert (crash.kind, "'act' gave no answer within 0.05 s" in str(crash.got)) == ("crash", True)


def test_a_target_whose_thread_never_comes_back_is_a_crash_and_is_not_waited_for(tmp_path: Path) -> None:
    never = threading.Event()

    class Blocks(Parrot):
        def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
            never.wait()
            return super().act(conversation, sent)

    record = replayed(written(tmp_path, "  - say: hello\n"), Blocks(), seconds=0.05)
    never.set()
    assert [check.kind for check in record.checks] == ["crash"]
    assert "no answer within 0.05 s" in str(record.checks[0].got)


def test_the_report_on_the_page_is_one_and_each_of_its_parts_can_be_checked(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "targets.md").read_text(encoding="utf-8")
    report = json.loads(page.partition("```json\n")[2].partition("```")[0])
    expect = (
        "block: {step: priority, options: [Low, High]}, question: priority, draft: {details: It broke.}, "
        "provenance: {details: model}, reading: content, facts: [Details noted.], gate: {trigger: model_call, "
        "guard: refused, because: no person}, tools_only: [{tool: reference_data, by: step}], write: {attempted: 0}"
    )
    told = Parrot(**{part: report[part] for part in report if part not in ("revision", "texts")})
    record = replayed(written(tmp_path, f"  - {{say: It broke., expect: {{{expect}}}}}\n"), told)
    assert set(Report.model_validate(report).reported()) == {*told.describe()["reports"], "provenance"}
    assert set(judged(record).values()) == {"passed"}


def test_a_target_whose_script_has_run_out_says_so(tmp_path: Path) -> None:
    class RunsOut(Parrot):
        def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
            return next(iter(()))

    record = replayed(written(tmp_path, "  - say: hello\n"), RunsOut())
    assert "StopIteration: an iterator had no more (at test_agent_target.py:" in str(record.checks[0].got)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            {"kind": "undeclared", "message": "no answer to hello"},
            "the target says: no answer to hello. Or give the reply",
        ),
        ({"kind": "bad_request", "message": "no such act"}, "TargetRefused: no such act (at"),
        ({"kind": "teapot", "message": "x"}, "what is no RefusalForm: error.kind: Input should be 'bad_request'"),
    ],
)
def test_a_refusal_of_a_target_says_what_the_target_says(tmp_path: Path, error: dict[str, str], said: str) -> None:
    class Refuses(Parrot):
        def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
            return {"error": error}

    (check,) = replayed(written(tmp_path, "  - say: hello\n"), Refuses()).checks
    assert said in str(check.got)


@pytest.fixture
def dripping() -> Iterator[str]:
    """The URL of a server whose answer comes byte by byte, and never to its end."""
    over = threading.Event()

    def drip(taken: socket.socket) -> None:
        with closing(taken), suppress(OSError):
            taken.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n")
            while not over.wait(0.01):
                taken.sendall(b" ")

    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        dripper = threading.Thread(target=lambda: drip(server.accept()[0]))
        dripper.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        over.set()
        dripper.join()


def test_a_target_that_answers_byte_by_byte_is_given_up_on_too(dripping: str) -> None:
    with pytest.raises(TargetError, match="no answer in time"):
        named_target(dripping, seconds=0.1).prepare(())


def test_a_target_that_reaches_beyond_loopback_is_red(tmp_path: Path) -> None:
    class Online(Parrot):
        def act(self, conversation: str, sent: Mapping[str, Any]) -> dict[str, Any]:
            import socket

            socket.create_connection(("192.0.2.1", 9))
            raise AssertionError("the guard lets nobody through")

    (red,) = replayed(written(tmp_path, "  - {say: a}\n"), Online()).checks
    assert (red.kind, f"{Path(__file__).name}:" in str(red.got)) == ("network", True)


def test_a_check_that_was_not_measured_is_neither_passed_nor_red_and_stays_so_in_the_record(tmp_path: Path) -> None:
    record = replayed(written(tmp_path, "  - {say: a, expect: {question: none}}\n"), Parrot())
    run = record_of(lines_of(RunRecord(version="", scenarios=(record,))), name="run")
    assert (len(run.reds()), len(run.unmeasured()), run.scenarios[0].checks[0].passed) == (0, 1, False)


@pytest.fixture(scope="module")
def gateway() -> Iterator[str]:
    """The address of a gateway in test mode."""

    @asynccontextmanager
    async def opens() -> AsyncIterator[Agent]:
        agent = ScenarioAgent(find_kit("support_intake"))
        yield agent
        await agent.close_all()

    with serve_in_thread(opens) as address:
        yield address


@pytest.fixture(scope="module")
def shown() -> tuple[Scenario, ...]:
    """Shipped scenarios that ask for every ability, one row of each."""
    found = load_all([find_kit("support_intake").scenarios])
    first = {one.path: one for one in reversed(found)}
    return tuple(one for path, one in sorted(first.items()) if path.name.partition(".")[0] in SHOWN)


def test_a_replay_over_http_is_the_replay_in_process_byte_for_byte(gateway: str, shown: tuple[Scenario, ...]) -> None:
    over_http = replay(shown, target=named_target(gateway))
    assert (list(lines_of(over_http)), over_http.reds(), over_http.unmeasured()) == (
        list(lines_of(replay(shown))),
        (),
        (),
    )


def test_a_scenario_that_a_gateway_does_not_know_is_not_measured(gateway: str, tmp_path: Path) -> None:
    scenario = written(tmp_path, "  - {say: a, expect: {text: {contains: [a]}}}\n")
    (check,) = replay_scenario(scenario, target=named_target(gateway)).checks
    assert (check.measured, check.got) == (False, "the target says: no scenario 's' of 'x.scenario.yaml' here")


def test_a_red_over_http_is_the_red_in_process(gateway: str, shown: tuple[Scenario, ...]) -> None:
    (plain,) = [one for one in shown if one.path.name.startswith("plain_yes")]
    broken = replace(plain, turns=tuple(replace(turn, checks=_wrong(turn.checks)) for turn in plain.turns))
    records = [replay_scenario(broken, target=target) for target in (named_target(gateway), None)]
    assert records[0] == records[1]
    assert any(check.red for check in records[0].checks)


def _wrong(checks: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(replace(check, expected="no such reading") if check.kind == "reading" else check for check in checks)


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("http://127.0.0.1:1", None),
        ("http://localhost:1", None),
        ("http://[::1]:1", None),
        ("https://agent.example", "agent.example"),
        ("a:b", None),
    ],
)
def test_only_a_host_that_is_not_this_machine_is_let_through_by_name(name: str, host: str | None) -> None:
    assert beyond_loopback(name) == host


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", "write package.module:attribute, or http://HOST:PORT"),
        ("no_such_module:a", "no module 'no_such_module'"),
        ("marg_harness.paths:no", "has no 'no'"),
        ("marg_harness.network_guard:FORBIDDEN", "has no method 'describe', 'open', 'act', 'close'"),
        ("http://", "names no host"),
    ],
)
def test_a_name_that_is_no_target_is_a_usage_error(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        opener(name)
