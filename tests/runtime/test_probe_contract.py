"""A contract: its text, what drifts from it, and what breaks it before anything is sent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import yaml

from marg_runtime.probe import (
    Clause,
    Contract,
    ProbeReport,
    ProbeRow,
    backend_drift,
    breaches,
    contract_of,
    contract_text,
    probe_markdown,
    schema_drift,
)
from marg_runtime.tools.tool import ToolName

TOOL = ToolName(server="shop", name="create")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 20}, "confirmed": {"type": "boolean"}},
    "required": ["name", "confirmed"],
}
ROWS = (
    ProbeRow(field="*", case="same record, same key", says="silent", did="not tried", must=True),
    ProbeRow(field="name", case="stripped", says="refuses", did="refused"),
    ProbeRow(field="name", case="empty", says="refuses", did="accepted", note='kept as "| x"'),
    ProbeRow(field="name", case="blank", says="accepts", did="refused"),
    ProbeRow(field="name", case="longer than 20", says="refuses", did="refused"),
)
REPORT = ProbeReport(
    tool=TOOL, server="shop 1", schema=SCHEMA, record={"name": "Lamp"}, closed=(), rows=ROWS, made=("R-1", "R-2")
)
CONTRACT = contract_of(REPORT)


def changed(number: int, **changes: Any) -> ProbeReport:
    rows = list(ROWS)
    rows[number] = replace(rows[number], **changes)
    return replace(REPORT, rows=tuple(rows))


def test_a_contract_holds_what_was_tried() -> None:
    assert [clause.case for clause in CONTRACT.clauses] == ["stripped", "empty", "blank", "longer than 20"]


def test_the_text_of_a_contract_is_yaml_of_what_it_says() -> None:
    read = yaml.safe_load(contract_text(CONTRACT))
    assert (read["contract"], read["tool"], read["record"]) == (1, "shop/create", {"name": "Lamp"})
    assert read["fields"]["name"]["empty"] == {"schema": "refuses", "backend": "accepted"}


def test_a_text_that_yaml_would_read_as_something_else_stays_a_text() -> None:
    contract = replace(CONTRACT, record={"no": "yes", "when": "2026-01-01", "odd": 'a: "b" # c'})
    assert yaml.safe_load(contract_text(contract))["record"] == contract.record


def test_the_same_backend_has_not_drifted() -> None:
    assert backend_drift(CONTRACT, REPORT) == ()


def test_a_backend_that_accepts_now_what_it_refused_has_drifted() -> None:
    (drift,) = backend_drift(CONTRACT, changed(1, did="accepted"))
    assert (drift.field, drift.case, drift.side, drift.agreed, drift.now) == (
        "name", "stripped", "backend", "refused", "accepted"
    )  # fmt: skip


def test_a_schema_that_says_something_else_now_has_drifted() -> None:
    (drift,) = backend_drift(CONTRACT, changed(3, says="refuses"))
    assert (drift.side, drift.agreed, drift.now) == ("schema", "accepts", "refuses")


def test_a_case_that_is_gone_has_drifted() -> None:
    (drift,) = backend_drift(CONTRACT, replace(REPORT, rows=ROWS[:-1]))
    assert (drift.case, drift.now) == ("longer than 20", "no such case")


def test_a_case_that_is_new_has_drifted() -> None:
    more = ProbeRow(field="size", case="stripped", says="accepts", did="refused")
    (drift,) = backend_drift(CONTRACT, replace(REPORT, rows=(*ROWS, more)))
    assert (drift.field, drift.agreed) == ("size", "no such case")


def test_the_schema_that_was_probed_says_the_same() -> None:
    assert schema_drift(CONTRACT, SCHEMA) == ()


def test_a_schema_that_no_longer_requires_a_field_has_drifted() -> None:
    (drift,) = schema_drift(CONTRACT, {**SCHEMA, "required": ["confirmed"]})
    assert (drift.field, drift.case, drift.agreed, drift.now) == ("name", "stripped", "refuses", "accepts")


def test_a_schema_with_another_limit_has_drifted() -> None:
    properties = {**SCHEMA["properties"], "name": {"type": "string", "minLength": 1, "maxLength": 40}}
    assert [drift.now for drift in schema_drift(CONTRACT, {**SCHEMA, "properties": properties})] == ["no such case"]


def test_another_description_is_no_drift() -> None:
    properties = {**SCHEMA["properties"], "name": {**SCHEMA["properties"]["name"], "description": "new words"}}
    assert schema_drift(CONTRACT, {**SCHEMA, "properties": properties}) == ()


def test_good_arguments_breach_nothing() -> None:
    assert breaches(CONTRACT, {"name": "Lamp"}) == ()


def test_arguments_that_the_backend_would_refuse_are_named() -> None:
    sent: tuple[dict[str, Any], ...] = ({}, {"name": "  "}, {"name": "x" * 21})
    assert [breaches(CONTRACT, arguments) for arguments in sent] == [
        ("name: stripped",),
        ("name: blank",),
        ("name: longer than 20",),
    ]


def test_what_the_backend_accepts_is_no_breach() -> None:
    assert breaches(CONTRACT, {"name": ""}) == ()


def test_null_and_an_empty_list_are_breaches_where_they_were_refused() -> None:
    clauses = (
        Clause(field="tags", case="null", schema="refuses", backend="refused"),
        Clause(field="tags", case="empty", schema="accepts", backend="refused"),
    )
    contract = Contract(tool=TOOL, server="", record={"tags": ["new"]}, closed=(), clauses=clauses)
    sent: tuple[dict[str, Any], ...] = ({"tags": None}, {"tags": []})
    assert [breaches(contract, arguments) for arguments in sent] == [("tags: null",), ("tags: empty",)]


def test_the_page_has_a_row_for_every_case_and_no_column_of_a_servers_making() -> None:
    table = [line for line in probe_markdown(REPORT).splitlines() if line.startswith("|")]
    assert len(table) == len(ROWS) + 2
    assert r'| name | empty | refuses | accepted | schema lies | kept as "\| x" |' in table


def test_the_page_says_what_is_left_behind() -> None:
    assert "2 records made, 2 records left behind: delete them" in probe_markdown(REPORT)


def test_the_page_says_which_fields_nobody_else_makes_sure_of() -> None:
    assert "Only the agent's side makes sure of: name." in probe_markdown(changed(1, did="accepted"))
