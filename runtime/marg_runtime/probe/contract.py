"""A contract: what a backend enforced when it was probed, which later schemas and later backends are held to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from marg_runtime.canonical import Json
from marg_runtime.probe.case import BLANK, EMPTY, LONGER, NULL, STRIPPED, Did, Says, cases_of, completed, says_of
from marg_runtime.probe.report import ProbeReport
from marg_runtime.tools.tool import ToolName


@dataclass(frozen=True, kw_only=True)
class Clause:
    """One case of a contract: what the schema says of it, and what the backend does."""

    field: str
    case: str
    schema: Says
    backend: Did


@dataclass(frozen=True, kw_only=True)
class Contract:
    """A contract on one tool. `record` and `closed` make the same cases again; `server` is who was probed."""

    tool: ToolName
    server: str
    record: Mapping[str, Json]
    closed: tuple[str, ...]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, kw_only=True)
class Drift:
    """A case of which something else is true now; `side` says whose word or deed has changed."""

    field: str
    case: str
    side: str
    agreed: str
    now: str


def contract_of(report: ProbeReport) -> Contract:
    """The contract that a report amounts to; what was not tried is no part of it."""
    clauses = [
        Clause(field=row.field, case=row.case, schema=row.says, backend=row.did)
        for row in report.rows
        if row.did != "not tried"
    ]
    return Contract(
        tool=report.tool, server=report.server, record=report.record, closed=report.closed, clauses=tuple(clauses)
    )


def backend_drift(contract: Contract, report: ProbeReport) -> tuple[Drift, ...]:
    """Where a backend that was probed again, with the contract's own record, differs from it; in the contract's order,
    then what it has more."""
    now = {(clause.field, clause.case): clause for clause in contract_of(report).clauses}
    found: list[Drift] = []
    for clause in contract.clauses:
        other = now.pop((clause.field, clause.case), None)
        schema, backend = (other.schema, other.backend) if other else (None, None)
        found += _differences(clause, schema=schema, backend=backend)
    found += [_drift(clause, "backend", "no such case", clause.backend) for clause in now.values()]
    return tuple(found)


def schema_drift(contract: Contract, schema: Mapping[str, Json]) -> tuple[Drift, ...]:
    """Where a tool's schema says something else now of the contract's cases. Needs the extra `mcp`."""
    cases = cases_of(schema, contract.record, closed=frozenset(contract.closed))
    says = {(case.field, case.name): says_of(schema, completed(schema, case.arguments, key="probe")) for case in cases}
    found: list[Drift] = []
    for clause in contract.clauses:
        if clause.schema != "silent":
            found += _differences(clause, schema=says.get((clause.field, clause.case)), backend=clause.backend)
    return tuple(found)


def breaches(contract: Contract, arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """Why the backend would turn these arguments down, as far as the contract tells: a sentence for each clause."""
    return tuple(_breaches(contract, arguments))


def _breaches(contract: Contract, arguments: Mapping[str, Json]) -> Iterator[str]:
    for clause in contract.clauses:
        if clause.backend != "refused" or clause.field not in contract.record:
            continue
        given = clause.field in arguments
        value = arguments.get(clause.field)
        broken = {
            STRIPPED: not given,
            NULL: given and value is None,
            EMPTY: value in ("", [], {}) and type(value) is type(contract.record[clause.field]),
            BLANK: isinstance(value, str) and bool(value) and not value.strip(),
        }.get(clause.case, _too_long(clause.case, value))
        if broken:
            yield f"{clause.field}: {clause.case}"


def _too_long(case: str, value: Json) -> bool:
    limit = case.removeprefix(LONGER)
    return case.startswith(LONGER) and limit.isdecimal() and isinstance(value, str) and len(value) > int(limit)


def _differences(clause: Clause, *, schema: str | None, backend: str | None) -> Iterator[Drift]:
    if schema is None and backend is None:
        yield _drift(clause, "backend", clause.backend, "no such case")
        return
    if schema != clause.schema:
        yield _drift(clause, "schema", clause.schema, schema or "no such case")
    if backend != clause.backend:
        yield _drift(clause, "backend", clause.backend, backend or "no such case")


def _drift(clause: Clause, side: str, agreed: str, now: str) -> Drift:
    return Drift(field=clause.field, case=clause.case, side=side, agreed=agreed, now=now)
