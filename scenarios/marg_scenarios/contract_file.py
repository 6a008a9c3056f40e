"""Reading the files of a probe: a contract, and a known-good record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from marg_mock_model import Document, read_document
from marg_mock_model.form import Form
from marg_mock_model.free_value import FreeValue
from marg_mock_model.plain import resolve
from marg_runtime.canonical import Json
from marg_runtime.probe.case import Did, Says
from marg_runtime.probe.contract import Clause, Contract
from marg_runtime.tools.tool import ToolName


class ClauseForm(Form):
    """One case: what the schema says of it, and what the backend does."""

    schema_says: Says = Field(alias="schema")
    backend: Did


class ContractForm(Form):
    """A contract, as `marg probe` writes it."""

    contract: Literal["1"]
    tool: str
    server: str
    record: Annotated[dict[str, FreeValue], Field(min_length=1)]
    closed: list[str] = Field(default_factory=list)
    fields: dict[str, dict[str, ClauseForm]]


def load_contract(path: Path | str) -> Contract:
    """Read a contract's file. Raises UsageError, with file and line where there is one."""
    document = read_document(path)
    form = document.validate(ContractForm)
    unknown = [name for name in form.closed if name not in form.record]
    if unknown:
        raise document.error(f"'closed' names {unknown[0]!r}, which is no field of the record.", "closed")
    clauses = [
        Clause(field=field, case=case, schema=clause.schema_says, backend=clause.backend)
        for field, cases in form.fields.items()
        for case, clause in cases.items()
    ]
    return Contract(
        tool=_tool(document, form.tool),
        server=form.server,
        record=form.record,
        closed=tuple(form.closed),
        clauses=tuple(clauses),
    )


def load_record(path: Path | str) -> Mapping[str, Json]:
    """Read a known-good record: the arguments of a write tool by name, in YAML or JSON.

    Raises UsageError, with file and line where there is one.
    """
    document = read_document(path)
    record: dict[str, Any] = {}
    for name, node in document.root.items():
        try:
            record[name] = resolve(node)
        except ValueError as error:
            raise document.error(f"{name!r}: {error}.", name) from error
    return record


def _tool(document: Document, written: str) -> ToolName:
    server, slash, name = written.partition("/")
    if not server or not slash or not name:
        raise document.error(f"'tool' is {written!r}; write it as server/name.", "tool")
    return ToolName(server=server, name=name)
