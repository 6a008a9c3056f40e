"""A session's ledger becomes a scenario that loads and is green against the same machine."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_harness.replay import replay, replay_scenario
from marg_harness.scenario_text import scenario_text
from marg_harness.script import Client
from marg_harness.session_recording import recorded_scenario
from marg_harness.target import ReferenceTarget
from marg_harness.turn_replay import replay_turn
from marg_mock_model import parse_document
from marg_reports import RunRecord, reds_text
from marg_runtime.canonical import canonical_json
from marg_runtime.errors import UsageError
from marg_runtime.events.turn import SessionOpened
from marg_runtime.ledger import Entry, decode, encode
from marg_scenarios import Scenario, find_kit, load_scenarios
from marg_scenarios.loader import build_scenarios

# Shipped scenarios of which a ledger tells all: nothing is forged or directed in them, but the replies in SCRIPTED.
BY_MACHINE = (
    "support_intake/declined",
    "support_intake/keep_private",
    "support_intake/reopened",
    "support_intake/yes_runs_once_and_only_that",
    "room_booking/form_errors",
    "room_booking/picker_pages",
    "room_booking/ticks_settle_nothing",
)
SCRIPTED = ("support_intake/approved_is_what_runs", "support_intake/yes_after_a_correction")


def shipped(name: str) -> Path:
    kit, _, file = name.partition("/")
    return find_kit(kit).scenarios / f"{file}.scenario.yaml"


def ledger_of(scenario: Scenario) -> tuple[list[Entry], RunRecord]:
    run = RunRecord(version="", scenarios=(replay_scenario(scenario),))
    turns = run.scenarios[0].turns
    lines = [canonical_json(event) for turn in turns for event in turn.events]
    return [decode(line) for line in lines], run


def built(root: dict[str, object], path: Path) -> Scenario:
    text = scenario_text(root)
    (scenario,) = build_scenarios(parse_document(text, path=str(path)), path=path)
    return scenario


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_session_of_a_model_that_is_no_machine_is_green_with_the_models_own_replies(name: str) -> None:
    path = shipped(name)
    scenario = load_scenarios(path)[0]
    entries, _ = ledger_of(scenario)
    root = recorded_scenario(entries, name="recorded", domain=scenario.kit.domain.name, scripted=True)
    run = replay([built(root, path.with_name("recorded.scenario.yaml"))])
    assert reds_text(run.reds()) == ""


@pytest.mark.parametrize("name", BY_MACHINE)
def test_a_recorded_session_is_green_against_the_same_machine(name: str) -> None:
    path = shipped(name)
    scenario = load_scenarios(path)[0]
    entries, _ = ledger_of(scenario)
    root = recorded_scenario(entries, name="recorded", domain=scenario.kit.domain.name)
    again = built(root, path.with_name("recorded.scenario.yaml"))
    run = replay([again])
    assert reds_text(run.reds()) == ""
    assert all(turn.checks for turn in again.turns)


REPORT = "My login fails since this morning. I get error 500 on every try."
TALK = f"""\
scenario: a talk
domain: support_intake
turns:
  - id: report
    say: {REPORT}
  - id: high
    tap: High
  - id: again
    tap: {{option: Low, of: report}}
  - id: back
    reload: true
    seen: report
"""


async def whole_ledger(scenario: Scenario) -> list[Entry]:
    """The ledger of a scenario's session from its opening on."""
    async with ReferenceTarget().converse(scenario) as conversation:
        client = Client()
        for turn in scenario.turns:
            await replay_turn(turn, client, conversation)
        return list(await conversation.session.entries(after=0))


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    """The ledger of a short talk, in the present folder as `talk.jsonl`."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "talk.scenario.yaml"
    path.write_text(TALK, encoding="utf-8")
    entries = asyncio.run(whole_ledger(load_scenarios(path)[0]))
    (tmp_path / "talk.jsonl").write_text("\n".join(encode(entry) for entry in entries), encoding="utf-8")
    return entries


def test_acts_are_written_as_a_person_would_write_them(talk: list[Entry]) -> None:
    turns = recorded_scenario(talk, name="a talk", domain="support_intake")["turns"]
    acts = [{key: node for key, node in turn.items() if key not in ("id", "expect")} for turn in turns]
    first = turns[0]["id"]
    assert acts == [
        {"say": REPORT},
        {"tap": "High"},
        {"tap": {"option": "Low", "of": first}},
        {"reload": True, "seen": first},
    ]


def test_what_was_seen_of_a_turn_are_its_checks(talk: list[Entry]) -> None:
    turns = recorded_scenario(talk, name="a talk", domain="support_intake")["turns"]
    assert turns[1]["expect"] == {
        "facts": ["Priority set to High."],
        "tools_called": [{"reference_data": {"kind": "categories"}}],
        "block": {"step": "category", "options": turns[1]["expect"]["block"]["options"]},
        "draft": {"priority": "high"},
    }


def test_the_command_writes_a_scenario_that_is_green(talk: list[Entry], tmp_path: Path) -> None:
    arguments = ["record", "--ledger", "talk.jsonl", "--name", "seen: x", "--output", "seen.scenario.yaml"]
    found = CliRunner().invoke(marg, arguments, catch_exceptions=False)
    assert (found.exit_code, found.output) == (0, "")
    (scenario,) = load_scenarios(tmp_path / "seen.scenario.yaml")
    assert (scenario.name, len(scenario.turns), replay([scenario]).reds()) == ("seen: x", 4, ())


def test_a_list_of_events_is_read_as_lines_are(talk: list[Entry], tmp_path: Path) -> None:
    lines = (tmp_path / "talk.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "talk.json").write_text(f"[{','.join(lines)}]", encoding="utf-8")
    found = CliRunner().invoke(marg, ["record", "--ledger", "talk.json"], catch_exceptions=False)
    assert (found.exit_code, found.stdout.count("  - id: ")) == (0, 4)


def test_the_command_prints_it_where_no_file_is_named_and_says_what_a_replay_does_not_repeat(
    talk: list[Entry], tmp_path: Path
) -> None:
    text = (tmp_path / "talk.jsonl").read_text(encoding="utf-8")
    (tmp_path / "talk.jsonl").write_text(text.replace("I am sorry", "I was sorry"), encoding="utf-8")
    found = CliRunner().invoke(marg, ["record", "--ledger", "talk.jsonl"], catch_exceptions=False)
    assert found.exit_code == 1
    assert found.stdout.startswith("scenario: what was seen in the session scenario\n")
    assert "a replay does not repeat all of it:" in found.stderr
    assert "check text, owner model" in found.stderr


def test_the_scenario_of_a_session_on_a_channel_in_order_is_in_order(talk: list[Entry]) -> None:
    first = talk[0]
    assert isinstance(first.event, SessionOpened)
    declared = replace(first, event=replace(first.event, in_order=True))
    roots = [recorded_scenario(one, name="x", domain="support_intake") for one in (talk, [declared, *talk[1:]])]
    assert [root.get("in_order") for root in roots] == [None, True]


def test_a_ledger_with_no_turn_is_refused() -> None:
    with pytest.raises(UsageError, match="the ledger has no turn"):
        recorded_scenario([], name="x", domain="support_intake")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a SESSION of a store, or a file with its --ledger"),
        (["x"], "'x' is looked for in a store; name it: --store URL, or MARG_STORE"),
        (["--ledger", "gone.jsonl"], "'gone.jsonl' cannot be read"),
        (["x", "--output", "y.yaml"], "'y.yaml' is no scenario's name"),
    ],
)
def test_what_names_no_session_is_refused(arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MARG_STORE", raising=False)
    with pytest.raises(UsageError, match=message):
        CliRunner().invoke(marg, ["record", *arguments], catch_exceptions=False)
