"""The words of the triage: classes, cells, and what can be found in a cell."""

from __future__ import annotations

from typing import Literal

RedClass = Literal["regression", "pre_existing", "model_flake", "brittle_check", "transport", "unclassified"]
"""What a red is. `unclassified` says that the evidence decides nothing, and which command would."""

CellName = Literal[
    "bundle",
    "varied",
    "base_varied",
    "clean_wire",
    "base_runtime",
    "base_check",
    "base_pair",
    "alone",
    "in_order",
    "base_in_order",
    "old_judges_in_order",
    "fresh_runtime",
    "intent",
    "outage",
    "settings",
    "live",
]
"""The evidence, each a replay with one factor swapped.

bundle: the red's own record. varied, base_varied: the mock's replies on a clean wire, with hash seed, time zone, clock
and worker count varied, on the head and on the base runtime. clean_wire: the head, the same replies, a clean wire, by
itself. base_runtime: the same with the base's runtime. base_check: the head's runtime with the base's check, scenario
and mock. base_pair: the base's runtime with those. alone, in_order: the head by itself in a fresh process, and behind
the scenarios that ran before it, on a clean wire. base_in_order: the latter with the base's runtime.
old_judges_in_order: the same, and with the base's checks where those are code of a kit's. fresh_runtime: in order, but
with a new runtime for each scenario. intent: the declared transforms and the mutants of what the check saw.
outage: the share of the run's reds with this wire signature. settings: the base's timeouts, retries and sizes on the
same wire faults. live: runs with the real model on both sides.
"""

Outcome = Literal["pass", "fail", "invalid", "absent"]
"""How a run ended for the check: `absent` where that side has no such check, `invalid` where it could not be run."""

Raised = Literal["nothing", "runtime", "check", "machine"]
"""Who raised in a failed run: the runtime crashed, the check itself did, or the mock met an undeclared situation."""

Replies = Literal["mock", "recorded"]
"""Whether the red's replies were the scripted mock's or a model's, which were recorded."""

WireState = Literal["clean", "recovered", "broken"]
"""The wire on the path of the check: no event, retries that recovered, or a request that failed or broke off."""

Dimension = Literal["outcome", "canonical", "digests", "mutants", "owner", "replies", "wire", "raised", "declared"]
"""In what respect a cell says something; in one respect it says one word."""

Unclassified = Literal["no_base", "no_replies", "no_key", "more_runs", "conflict", "intended_change"]
"""Why a red is unclassified."""

Confidence = Literal["proven", "statistical", "none"]
