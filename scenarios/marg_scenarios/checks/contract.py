"""Whether a write still fits what its backend was found to enforce."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

from marg_reports.forms import Form, identity
from marg_runtime.canonical import Json
from marg_runtime.domain import RESERVED_SLOTS
from marg_runtime.events.write import GateDecided
from marg_runtime.probe.contract import Contract, breaches, schema_drift
from marg_scenarios.checks.check import Check, Verdict, as_list, as_mapping
from marg_scenarios.observation import Observation


@dataclass(frozen=True, kw_only=True)
class ContractCheck(Check):
    """The write tool's schema, as it is listed in this turn, says of every case what the contract says, and no write
    that the guard let through would be turned down by the backend that the contract was made with.

    What the backend does now is not looked at: a replay writes nothing. `marg probe` holds it to the contract.
    """

    kind: ClassVar[str] = "contract"
    contract: Contract

    def look(self, observation: Observation) -> Json:
        """Where the schema has drifted, and which attempts break the contract."""
        spec = next((spec for spec in observation.tools if spec.tool == self.contract.tool), None)
        attempts = [event for event in observation.events(GateDecided) if event.attempted]
        sent = [
            {name: value for name, value in one.arguments.items() if name not in RESERVED_SLOTS} for one in attempts
        ]
        return {
            "listed": spec is not None,
            "drift": [] if spec is None else [asdict(one) for one in schema_drift(self.contract, spec.input_schema)],
            "breaches": [breach for arguments in sent for breach in breaches(self.contract, arguments)],
        }

    def judge(self, got: Json, *, form: Form = identity) -> Verdict:
        """The tool is there, nothing has drifted, nothing breaks the contract."""
        seen = as_mapping(got)
        kept = seen.get("listed") is True and not as_list(seen.get("drift")) and not as_list(seen.get("breaches"))
        return Verdict(passed=kept, expected={"listed": True, "drift": [], "breaches": []}, got=got)
