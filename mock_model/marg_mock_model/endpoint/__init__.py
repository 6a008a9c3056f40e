"""The endpoint: a mock machine as a real HTTP server that speaks OpenAI's and Anthropic's APIs."""

from marg_mock_model.endpoint.endpoint import Endpoint, serve, serve_in_thread
from marg_mock_model.endpoint.fault import Fault, Faults
from marg_mock_model.endpoint.fault_file import load_faults, parse_faults
from marg_mock_model.endpoint.forever import run_until_stopped, serve_forever
from marg_mock_model.endpoint.journal import Exchange
from marg_mock_model.endpoint.verdict import Finding, Verdict, judge

__all__ = [
    "Endpoint",
    "Exchange",
    "Fault",
    "Faults",
    "Finding",
    "Verdict",
    "judge",
    "load_faults",
    "parse_faults",
    "run_until_stopped",
    "serve",
    "serve_forever",
    "serve_in_thread",
]
