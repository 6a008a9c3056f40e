"""The example desk as an MCP server: its tools, the second layer of the gate, its life as a process."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from marg_runtime.canonical import Json
from marg_runtime.tools.mcp import McpTools, Source, StdioServer
from marg_runtime.tools.tool import ToolName, ToolOutcome, ToolSpec
from marg_scenarios.backend import BackendCounts
from marg_scenarios.support_intake.server import Category, Priority, build_server, main
from marg_scenarios.support_intake.tickets import Desk, Kind

FLAG = "MARG_ALLOW_WRITES"
MODULE = "marg_scenarios.support_intake.server"
ASKED: Mapping[str, Json] = {
    "title": "Login fails",
    "details": "The page stays blank.",
    "priority": "high",
    "category": "bug",
    "visibility": "private",
}
CONFIRMED = {**ASKED, "confirmed": True}


@pytest.fixture
def desk() -> Iterator[Desk]:
    with closing(Desk(clock=lambda: 1_780_000_000_000)) as opened:
        yield opened


@pytest.fixture
def writes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FLAG, "true")


@pytest.fixture
def writes_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FLAG, raising=False)


def call(source: Desk | Source, name: str, arguments: Mapping[str, Json]) -> ToolOutcome:
    async def once() -> ToolOutcome:
        served = build_server(source) if isinstance(source, Desk) else source
        async with McpTools({"desk": served}) as tools:
            return await tools.call(ToolName(server="desk", name=name), arguments)

    return asyncio.run(once())


def create(source: Desk | Source, arguments: Mapping[str, Json]) -> ToolOutcome:
    return call(source, "create_ticket", arguments)


def code(outcome: ToolOutcome) -> Json:
    assert outcome.is_error
    assert isinstance(outcome.data, Mapping)
    return outcome.data["refused"]


def listed(desk: Desk) -> dict[str, ToolSpec]:
    async def once() -> tuple[ToolSpec, ...]:
        async with McpTools({"desk": build_server(desk)}) as tools:
            return await tools.list()

    return {spec.name: spec for spec in asyncio.run(once())}


# The tools


def test_the_desk_lists_its_four_tools(desk: Desk) -> None:
    assert list(listed(desk)) == ["reference_data", "search_tickets", "find_ticket", "create_ticket"]


def test_G9_a_ticket_is_found_by_the_key_of_its_create_call(desk: Desk, writes_on: None) -> None:
    created = create(desk, {**CONFIRMED, "idempotency_key": "k1"})
    found = call(desk, "find_ticket", {"idempotency_key": "k1"})
    assert found.data == {"found": True, "receipt": created.data}


def test_G9_a_key_that_wrote_nothing_is_not_found(desk: Desk, writes_on: None) -> None:
    create(desk, {**CONFIRMED, "idempotency_key": "k1"})
    assert call(desk, "find_ticket", {"idempotency_key": "k2"}).data == {"found": False, "receipt": None}


def test_G9_a_refused_create_call_is_not_found(desk: Desk, writes_on: None) -> None:
    create(desk, {**ASKED, "idempotency_key": "k1"})
    assert call(desk, "find_ticket", {"idempotency_key": "k1"}).data == {"found": False, "receipt": None}


def test_G9_a_lookup_counts_as_no_create_call(desk: Desk, writes_on: None) -> None:
    call(desk, "find_ticket", {"idempotency_key": "k1"})
    assert desk.counts() == BackendCounts(create_calls=0, refused=0, writes=0)


def test_the_desk_says_who_it_is(desk: Desk) -> None:
    assert {spec.identity for spec in listed(desk).values()} == {"support-desk 1.0"}


def test_every_tool_says_what_it_does(desk: Desk) -> None:
    assert all(spec.description for spec in listed(desk).values())


def test_every_input_schema_is_a_valid_one(desk: Desk) -> None:
    for spec in listed(desk).values():
        Draft202012Validator.check_schema(dict(spec.input_schema))


def test_a_create_call_asks_for_the_five_slots(desk: Desk) -> None:
    schema = listed(desk)["create_ticket"].input_schema
    assert schema["required"] == ["title", "details", "priority", "category", "visibility"]


def test_a_create_call_offers_a_note_the_confirmation_and_a_key(desk: Desk) -> None:
    properties = listed(desk)["create_ticket"].input_schema["properties"]
    assert isinstance(properties, Mapping)
    assert list(properties)[5:] == ["attachment_note", "confirmed", "idempotency_key"]


def test_reference_data_gives_values_with_labels(desk: Desk) -> None:
    outcome = call(desk, "reference_data", {"kind": "visibilities"})
    options = [{"value": "private", "label": "Private"}, {"value": "public", "label": "Public"}]
    assert outcome.data == {"kind": "visibilities", "options": options}


@pytest.mark.parametrize("kind", get_args(Kind))
def test_there_is_reference_data_of_every_kind(desk: Desk, kind: str) -> None:
    assert not call(desk, "reference_data", {"kind": kind}).is_error


def test_the_values_in_the_schema_of_a_search_are_the_desks_own(desk: Desk) -> None:
    own = [tuple(option.value for option in desk.options(kind)) for kind in ("priorities", "categories")]
    assert own == [get_args(Priority), get_args(Category)]


def test_an_unknown_kind_is_an_outcome_with_an_error(desk: Desk) -> None:
    assert call(desk, "reference_data", {"kind": "colours"}).is_error


def test_an_unknown_tool_is_an_outcome_with_an_error(desk: Desk) -> None:
    assert call(desk, "delete_ticket", {}).is_error


def test_a_search_without_a_query_is_an_outcome_with_an_error(desk: Desk) -> None:
    assert call(desk, "search_tickets", {}).is_error


def test_a_search_gives_the_tickets_it_found(desk: Desk) -> None:
    outcome = call(desk, "search_tickets", {"query": "dark theme", "category": "other"})
    ticket = {
        "id": "T-1004",
        "title": "Please add a dark theme",
        "details": "The white background is hard on the eyes during night shifts.",
        "priority": "low",
        "category": "other",
        "created_at": "2026-03-05T09:00:00Z",
    }
    assert outcome.data == {"tickets": [ticket]}


@pytest.mark.usefixtures("writes_on")
def test_a_create_call_gives_the_whole_ticket_as_its_receipt(desk: Desk) -> None:
    outcome = create(desk, {**CONFIRMED, "attachment_note": "a photo"})
    receipt = {
        "id": "T-1007",
        "title": "Login fails",
        "details": "The page stays blank.",
        "priority": "high",
        "category": "bug",
        "created_at": "2026-05-28T20:26:40Z",
        "visibility": "private",
        "attachment_note": "a photo",
    }
    assert (outcome.data, outcome.is_error) == (receipt, False)


# The second layer


@pytest.mark.usefixtures("writes_on")
@pytest.mark.parametrize("confirmed", [False, None, "true", "True", "", 1, 1.0, [True], {"value": True}], ids=repr)
def test_G6_anything_but_true_itself_is_no_confirmation(desk: Desk, confirmed: Json) -> None:
    assert code(create(desk, {**ASKED, "confirmed": confirmed})) == "not_confirmed"


@pytest.mark.usefixtures("writes_on")
def test_G6_a_call_without_the_argument_is_not_confirmed(desk: Desk) -> None:
    outcome = create(desk, ASKED)
    assert outcome.text == "Nothing was created: confirmed has to be true itself, and it is not set."


@pytest.mark.parametrize("flag", ["True", "TRUE", "1", "yes", " true", "true ", ""])
def test_G6_a_flag_that_is_not_the_literal_true_keeps_writes_off(
    desk: Desk, flag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FLAG, flag)
    assert code(create(desk, CONFIRMED)) == "writes_off"


@pytest.mark.usefixtures("writes_unset")
def test_G6_an_unset_flag_keeps_writes_off(desk: Desk) -> None:
    outcome = create(desk, CONFIRMED)
    assert outcome.text == "Nothing was created: the server's MARG_ALLOW_WRITES has to be 'true' itself; it is not set."


def test_G6_the_flag_is_read_at_each_call(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    server = build_server(desk)
    monkeypatch.setenv(FLAG, "true")
    first = create(server, CONFIRMED)
    monkeypatch.delenv(FLAG)
    assert (first.is_error, code(create(server, CONFIRMED))) == (False, "writes_off")


@pytest.mark.usefixtures("writes_unset")
def test_G6_with_writes_off_no_call_of_any_kind_writes(desk: Desk) -> None:
    for arguments in (ASKED, CONFIRMED, {**CONFIRMED, "idempotency_key": "k"}, {}):
        create(desk, arguments)
    assert desk.counts() == BackendCounts(create_calls=4, refused=4, writes=0)


# The count: no call is refused ahead of it


@pytest.mark.usefixtures("writes_on")
@pytest.mark.parametrize("missing", list(ASKED))
def test_a_missing_argument_is_refused_by_name_and_counted(desk: Desk, missing: str) -> None:
    outcome = create(desk, {name: value for name, value in CONFIRMED.items() if name != missing})
    assert outcome.text == f"Nothing was created: {missing}: Field required."
    assert desk.counts() == BackendCounts(create_calls=1, refused=1, writes=0)


@pytest.mark.usefixtures("writes_on")
@pytest.mark.parametrize("wrong", [7, True, None, ["x"], {"text": "x"}], ids=repr)
def test_an_argument_that_is_no_text_is_refused_by_name_and_counted(desk: Desk, wrong: Json) -> None:
    outcome = create(desk, {**CONFIRMED, "title": wrong})
    assert outcome.text == "Nothing was created: title: Input should be a valid string."
    assert desk.counts() == BackendCounts(create_calls=1, refused=1, writes=0)


@pytest.mark.usefixtures("writes_on")
def test_a_refusal_of_the_desk_comes_with_its_own_sentence(desk: Desk) -> None:
    outcome = create(desk, {**CONFIRMED, "details": " "})
    assert (code(outcome), outcome.text) == ("bad_arguments", "Nothing was created: the details are empty.")


@pytest.mark.usefixtures("writes_on")
def test_G9_the_same_key_gives_the_same_receipt_and_writes_once(desk: Desk) -> None:
    first, second = (create(desk, {**CONFIRMED, "idempotency_key": "k"}) for _ in range(2))
    assert first == second
    assert desk.counts() == BackendCounts(create_calls=2, refused=0, writes=1)


LOOKS_LIKE_JSON = st.sampled_from(["null", "true", "7", '"quoted"', "[1]", '{"a": 1}', "NaN"])
TEXT = (st.text(min_size=1, max_size=60) | LOOKS_LIKE_JSON).filter(lambda text: bool(text.strip()))


@given(title=TEXT, details=TEXT, note=st.none() | TEXT)
@settings(max_examples=60, deadline=None)
def test_any_text_comes_back_in_the_receipt_as_it_was_sent(title: str, details: str, note: str | None) -> None:
    sent = {**CONFIRMED, "title": title, "details": details, "attachment_note": note}
    with closing(Desk()) as desk, pytest.MonkeyPatch.context() as patch:
        patch.setenv(FLAG, "true")
        receipt = create(desk, sent).data
        assert isinstance(receipt, Mapping)
        assert (receipt["title"], receipt["details"], receipt["attachment_note"]) == (title, details, note)


# Imports and logging


def test_the_server_is_imported_without_the_sdk() -> None:
    code_text = f"import sys; sys.modules['mcp'] = None; import {MODULE}"
    done = subprocess.run([sys.executable, "-c", code_text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_building_the_server_leaves_the_root_logger_as_it_was(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    level = root.level
    build_server(desk)
    assert (root.handlers, root.level) == ([], level)


# A process of its own


def stdio(*arguments: str) -> StdioServer:
    return StdioServer(command=sys.executable, args=("-m", MODULE, *arguments))


def test_G8_the_flag_of_the_caller_opens_the_desk_in_its_own_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FLAG, "true")
    outcome = create(stdio("--database", str(tmp_path / "desk.db")), CONFIRMED)
    with closing(Desk(tmp_path / "desk.db")) as desk:
        assert (outcome.is_error, desk.counts()) == (False, BackendCounts(create_calls=1, refused=0, writes=1))


@pytest.mark.usefixtures("writes_unset")
def test_G8_without_the_flag_the_desk_in_its_own_process_writes_nothing(tmp_path: Path) -> None:
    outcome = create(stdio("--database", str(tmp_path / "desk.db")), CONFIRMED)
    with closing(Desk(tmp_path / "desk.db")) as desk:
        assert (code(outcome), desk.counts()) == ("writes_off", BackendCounts(create_calls=1, refused=1, writes=0))


def test_the_server_ends_quietly_when_its_input_ends() -> None:
    done = subprocess.run([sys.executable, "-m", MODULE], input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_database_that_is_no_desk_is_exit_2_with_its_name(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("bread, milk, " * 100)
    exit_code = main(["--database", str(path)])
    assert (exit_code, "notes.txt' is no desk" in capsys.readouterr().err) == (2, True)
