"""The probe: what a backend really enforces, against what its schema says. It writes, so it needs a dev backend."""

from marg_runtime.probe.contract import Clause, Contract, Drift, backend_drift, breaches, contract_of, schema_drift
from marg_runtime.probe.contract_text import contract_text
from marg_runtime.probe.markdown import probe_markdown
from marg_runtime.probe.prober import probe, run_probe
from marg_runtime.probe.report import ProbeReport, ProbeRow
from marg_runtime.probe.target import DEV_MARK, DeleteTool, ProbeTarget

__all__ = [
    "DEV_MARK",
    "Clause",
    "Contract",
    "DeleteTool",
    "Drift",
    "ProbeReport",
    "ProbeRow",
    "ProbeTarget",
    "backend_drift",
    "breaches",
    "contract_of",
    "contract_text",
    "probe",
    "probe_markdown",
    "run_probe",
    "schema_drift",
]
