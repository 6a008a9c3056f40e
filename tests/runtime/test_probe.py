"""The probe over a backend of the tests: what it finds, what it refuses to do, and what it leaves behind."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from mcp.server import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

from marg_runtime.errors import NotADevBackend, ToolError, UsageError
from marg_runtime.probe import DEV_MARK, DeleteTool, ProbeReport, ProbeTarget, run_probe
from marg_runtime.tools.tool import ToolName

FLAG = "MARG_ALLOW_WRITES"
CREATE = ToolName(server="shop", name="create")
RECORD: dict[str, Any] = {"name": "Lamp", "size": 3, "tags": ["new"], "kind": "table"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 20},
        "size": {"type": "integer", "minimum": 1, "maximum": 9},
        "tags": {"type": "array", "items": {"type": "string"}},
        "kind": {"enum": ["table", "floor"]},
        "confirmed": {"type": "boolean"},
        "idempotency_key": {"type": "string"},
    },
    "required": ["name", "size"],
    "additionalProperties": False,
}


def names(record: Mapping[str, Any]) -> bool:
    """A backend that asks for nothing but a name."""
    return bool(record.get("name"))


def anything(record: Mapping[str, Any]) -> bool:
    """A backend that asks for nothing."""
    return True


@dataclass(kw_only=True)
class Shop:
    """A backend: `takes` says which records it takes, `gate` whether it asks for the flag and the confirmation."""

    takes: Any = names
    gate: bool = True
    keyed: bool = True
    once: bool = False
    dev: bool = True
    breaks_on: str | None = None
    schema: dict[str, Any] = field(default_factory=lambda: dict(SCHEMA))
    calls: list[dict[str, Any]] = field(default_factory=list)
    flags: list[str | None] = field(default_factory=list)
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)

    def server(self) -> Server[Any]:
        """The backend as a server in memory."""

        async def on_list_tools(_: Any, __: Any) -> ListToolsResult:
            meta = {DEV_MARK: True} if self.dev else None
            create = Tool(name="create", input_schema=self.schema, _meta=meta)
            return ListToolsResult(tools=[create, Tool(name="delete", input_schema={"type": "object"})])

        async def on_call_tool(_: Any, params: Any) -> CallToolResult:
            return self._call(params.name, dict(params.arguments or {}))

        return Server("shop", version="1", on_list_tools=on_list_tools, on_call_tool=on_call_tool)

    def _call(self, name: str, sent: dict[str, Any]) -> CallToolResult:
        if name == "delete":
            del self.rows[sent["id"]]
            return CallToolResult(content=[])
        self.calls.append(sent)
        self.flags.append(os.environ.get(FLAG))
        if self.breaks_on is not None and sent.get("name") == self.breaks_on:
            raise RuntimeError("no such column")
        key = sent.pop("idempotency_key", None) if self.keyed else None
        confirmed = sent.pop("confirmed", None)
        if self.gate and (confirmed is not True or os.environ.get(FLAG) != "true"):
            return self._refused("the door is closed")
        if not self.takes(sent) or (self.once and sent in self.rows.values() and key not in self.keys):
            return self._refused("not taken")
        if key in self.keys:
            return self._known(self.keys[key], sent)
        identity = f"R-{len(self.keys) + len(self.rows) + 1}"
        self.rows[identity] = sent
        if key is not None:
            self.keys[key] = identity
        return CallToolResult(content=[], structured_content={"id": identity, **sent})

    def _known(self, identity: str, sent: dict[str, Any]) -> CallToolResult:
        if self.rows[identity] != sent:
            return self._refused("another record has that key")
        return CallToolResult(content=[], structured_content={"id": identity, **sent})

    def _refused(self, text: str) -> CallToolResult:
        return CallToolResult(is_error=True, content=[TextContent(type="text", text=text)])


def target(shop: Shop, **changes: Any) -> ProbeTarget:
    return replace(ProbeTarget(source=shop.server(), tool=CREATE, record=RECORD, dev=True), **changes)


def probed(shop: Shop, **changes: Any) -> ProbeReport:
    return run_probe(target(shop, **changes), run="r")


def verdicts(report: ProbeReport, field: str) -> dict[str, str]:
    return {row.case: row.verdict for row in report.rows if row.field == field}


def did(report: ProbeReport, field: str, case: str) -> str:
    (row,) = [row for row in report.rows if (row.field, row.case) == (field, case)]
    return row.did


# What it finds


def test_what_the_schema_refuses_and_the_backend_refuses_is_enforced() -> None:
    assert verdicts(probed(Shop()), "name")["stripped"] == "enforced"


def test_what_the_schema_refuses_and_the_backend_accepts_is_a_lie_of_the_schema() -> None:
    report = probed(Shop())
    assert (verdicts(report, "size")["stripped"], did(report, "size", "stripped")) == ("schema lies", "accepted")


def test_what_the_schema_accepts_and_the_backend_refuses_is_stricter() -> None:
    report = probed(Shop(takes=lambda record: record.get("tags")))
    assert verdicts(report, "tags")["empty"] == "stricter"


def test_what_both_accept_is_not_enforced_and_no_finding() -> None:
    report = probed(Shop())
    (row,) = [row for row in report.rows if (row.field, row.case) == ("tags", "stripped")]
    assert (row.verdict, row.is_finding) == ("not enforced", False)


def test_every_kind_of_value_has_its_cases() -> None:
    report = probed(Shop())
    cases = {field: list(verdicts(report, field)) for field in RECORD}
    assert cases == {
        "name": [
            "stripped", "null", "a number", "a truth value", "a list", "an object", "empty", "blank", "longer than 20",
            "longer than 9999",
        ],
        "size": ["stripped", "null", "a text", "a truth value", "a list", "an object", "too large", "too small"],
        "tags": [
            "stripped", "null", "a text", "a number", "a truth value", "an object", "empty", "longer than 999 items",
        ],
        "kind": [
            "stripped", "null", "a number", "a truth value", "a list", "an object", "empty", "blank",
            "longer than 9999", "unknown value", "another case",
        ],
    }  # fmt: skip


def test_a_field_that_is_said_to_be_closed_is_sent_an_unknown_value() -> None:
    assert "unknown value" in verdicts(probed(Shop(), closed=frozenset({"name"})), "name")


def test_the_whole_record_is_stripped_and_given_an_unknown_field() -> None:
    whole = verdicts(probed(Shop()), "*")
    assert (whole["everything stripped"], whole["unknown field"]) == ("enforced", "schema lies")


def test_a_backend_that_takes_a_record_with_every_field_stripped_is_told_from_one_that_does_not() -> None:
    strict, lax = probed(Shop(takes=lambda record: names(record) and "size" in record)), probed(Shop(takes=anything))
    assert did(strict, "*", "everything stripped") != did(lax, "*", "everything stripped")
    assert lax.unguarded() == tuple(RECORD)


def test_a_note_says_what_became_of_a_value_that_was_accepted() -> None:
    shop = Shop(takes=anything)
    original = shop._call
    shop._call = lambda name, sent: original(name, {"name": "(none)", **sent})  # type: ignore[method-assign]
    (row,) = [row for row in probed(shop).rows if (row.field, row.case) == ("name", "stripped")]
    assert row.note == 'filled in with "(none)"'


# The gate and the key


def test_G6_a_backend_that_asks_for_the_confirmation_and_the_flag_has_them_enforced() -> None:
    report = probed(Shop())
    gate = {**verdicts(report, "confirmed"), "flag": verdicts(report, "*")[f"{FLAG} unset"]}
    assert set(gate.values()) == {"enforced"}


def test_G6_a_backend_without_a_door_is_a_finding() -> None:
    found = {(row.field, row.case) for row in probed(Shop(gate=False)).findings()}
    assert {("confirmed", "missing"), ("confirmed", "false"), ("*", f"{FLAG} unset")} <= found


def test_a_tool_that_takes_no_confirmation_is_not_tried_for_it() -> None:
    schema = {**SCHEMA, "properties": {name: part for name, part in SCHEMA["properties"].items() if name in RECORD}}
    report = probed(Shop(gate=False, keyed=False, schema=schema))
    assert set(verdicts(report, "confirmed").values()) == {"not tried"}
    assert verdicts(report, "*")["another record, same key"] == "not tried"


def test_G9_the_same_key_gives_the_same_record() -> None:
    assert did(probed(Shop()), "*", "same record, same key") == "same record"


def test_G9_a_backend_that_writes_twice_for_one_key_is_a_finding() -> None:
    shop = Shop(keyed=False, takes=lambda record: names(record))
    assert ("*", "same record, same key") in {(row.field, row.case) for row in probed(shop).findings()}


def test_G9_a_key_used_for_another_record_is_a_conflict() -> None:
    assert verdicts(probed(Shop()), "*")["another record, same key"] == "enforced"


def test_G9_a_change_that_a_known_key_swallows_is_a_finding() -> None:
    shop = Shop()
    shop._known = lambda identity, sent: CallToolResult(  # type: ignore[method-assign]
        content=[], structured_content={"id": identity, **shop.rows[identity]}
    )
    assert ("*", "another record, same key") in {(row.field, row.case) for row in probed(shop).findings()}


def test_a_backend_that_takes_a_record_once_is_given_another_each_time() -> None:
    report = probed(Shop(once=True))
    assert (did(report, "*", "same record, another key"), did(report, "tags", "stripped")) == ("refused", "accepted")


def test_a_backend_that_breaks_on_a_case_is_a_finding_and_the_others_are_still_tried() -> None:
    shop = Shop(breaks_on="")
    report = probed(shop)
    assert verdicts(report, "name")["empty"] == "broke"
    assert did(report, "kind", "stripped") == "accepted"


def test_a_backend_that_refuses_and_writes_all_the_same_has_accepted() -> None:
    shop = Shop(takes=anything)
    original = shop._call

    def lying(name: str, sent: dict[str, Any]) -> CallToolResult:
        answer = original(name, sent)
        return answer if sent.get("name") else answer.model_copy(update={"is_error": True})

    shop._call = lying  # type: ignore[method-assign]
    report = probed(shop, writes=lambda: len(shop.rows))
    (row,) = [row for row in report.rows if (row.field, row.case) == ("name", "stripped")]
    assert (row.did, row.note) == ("accepted", "says that it refused, and wrote")


# What it refuses


def test_a_server_without_the_mark_is_refused_and_nothing_is_sent() -> None:
    shop = Shop(dev=False)
    with pytest.raises(NotADevBackend, match="nothing was sent"):
        probed(shop)
    assert shop.calls == []


def test_a_mark_that_is_not_true_itself_is_no_mark() -> None:
    with pytest.raises(NotADevBackend):
        target(Shop()).check_theirs({DEV_MARK: "true"})


def test_a_backend_without_our_own_mark_is_refused() -> None:
    shop = Shop()
    with pytest.raises(NotADevBackend, match="dev=True"):
        probed(shop, dev=False)
    assert shop.calls == []


@pytest.mark.parametrize("url", ["https://desk.example/mcp", "http://127.0.0.1.example/mcp", "http://10.0.0.7/mcp"])
def test_a_host_that_is_not_this_machine_is_named_again_or_refused(url: str) -> None:
    with pytest.raises(NotADevBackend, match="--dev-host"):
        target(Shop(), source=url).check_ours()


@pytest.mark.parametrize("url", ["http://127.0.0.1:80/mcp", "http://localhost/mcp", "http://[::1]:8000/mcp"])
def test_this_machine_needs_no_second_name(url: str) -> None:
    target(Shop(), source=url).check_ours()


def test_a_host_that_was_named_again_is_let_through() -> None:
    target(Shop(), source="https://dev.example/mcp", dev_host="dev.example").check_ours()


def test_a_record_that_the_backend_refuses_is_bad_input() -> None:
    with pytest.raises(UsageError, match="refuses the known-good record: 'not taken'"):
        probed(Shop(takes=lambda record: False))


def test_a_backend_that_breaks_on_the_good_record_is_a_tool_error() -> None:
    with pytest.raises(ToolError, match="the known-good record"):
        probed(Shop(breaks_on="Lamp", gate=False), writes=None)


def test_a_tool_that_is_not_there_is_bad_input_that_names_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no tool 'shop/make'; it has shop/create, shop/delete"):
        probed(Shop(), tool=ToolName(server="shop", name="make"))


@pytest.mark.parametrize("record", [{}, {"confirmed": True, "name": "x"}, {"name": float("nan")}])
def test_a_record_that_could_not_be_sent_is_bad_input(record: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        target(Shop(), record=record)


# What it leaves


@pytest.mark.parametrize("before", [None, "false", "true"])
def test_the_flag_is_as_it_was_afterwards(before: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FLAG, raising=False)
    if before is not None:
        monkeypatch.setenv(FLAG, before)
    probed(Shop())
    assert os.environ.get(FLAG) == before


def test_the_flag_is_unset_until_the_mark_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FLAG, "true")
    shop = Shop()
    probed(shop)
    assert (shop.flags[0], set(shop.flags[1:])) == (None, {"true"})


def test_every_record_that_was_made_is_named() -> None:
    shop = Shop()
    assert set(probed(shop).made) == set(shop.rows)


def test_records_are_deleted_where_there_is_a_tool_for_it() -> None:
    shop = Shop()
    report = probed(shop, delete=DeleteTool(name="delete"))
    assert (shop.rows, report.deleted) == ({}, len(report.made))


def test_two_probes_of_one_backend_find_the_same_rows() -> None:
    shop = Shop()
    first, second = run_probe(target(shop), run="a"), run_probe(target(shop), run="b")
    assert first.rows == second.rows
