"""A contract as the text of its file. Reading one is `marg_scenarios.load_contract`."""

from __future__ import annotations

import json

from marg_runtime.canonical import Json, canonical_json
from marg_runtime.probe.contract import Contract

CONTRACT_VERSION = 1
_HEAD = "# What the backend enforces, as `marg probe` found it. `marg probe --check` holds a backend to it.\n"


def contract_text(contract: Contract) -> str:
    """The contract as YAML, the same to the byte for the same contract."""
    lines = [
        f"{_HEAD}contract: {CONTRACT_VERSION}",
        f"tool: {_quoted(str(contract.tool))}",
        f"server: {_quoted(contract.server)}",
        *(["record:"] if contract.record else ["record: {}"]),
        *(f"  {_quoted(name)}: {_flow(value)}" for name, value in contract.record.items()),
        f"closed: {_flow(contract.closed)}",
        *(["fields:"] if contract.clauses else ["fields: {}"]),
    ]
    for field in dict.fromkeys(clause.field for clause in contract.clauses):
        lines.append(f"  {_quoted(field)}:")
        for clause in contract.clauses:
            if clause.field == field:
                said = f"schema: {clause.schema}, backend: {clause.backend}"
                lines.append(f"    {_quoted(clause.case)}: {{{said}}}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _flow(value: Json) -> str:
    """JSON is YAML; a record of nested values stays on one line."""
    return canonical_json(value)
