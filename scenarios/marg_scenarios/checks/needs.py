"""What of a turn each check needs to see; where a target does not report it, the check is not measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from marg_runtime.events.write import GateDecided
from marg_runtime.parts import EVERY_PART, Part
from marg_scenarios.checks.check import Check
from marg_scenarios.checks.gate import GateCheck, WriteCheck
from marg_scenarios.observation import Observation

LAYERS = ("skill", "schema")

NEEDS: Final[Mapping[str, frozenset[Part]]] = {
    "reading": frozenset({"reading"}),
    "outcome": frozenset({"ledger"}),
    "block": frozenset({"block"}),
    "redraws": frozenset({"block"}),
    "drawn": frozenset({"ledger"}),
    "question": frozenset({"question"}),
    "draft": frozenset({"draft"}),
    "draft_is": frozenset({"draft"}),
    "draft_unchanged": frozenset({"draft"}),
    "provenance": frozenset({"draft", "provenance"}),
    "facts": frozenset({"facts"}),
    "tools_called": frozenset({"calls"}),
    "tools_only": frozenset({"calls"}),
    "tools_in_order": frozenset({"calls"}),
    "tools_not_called": frozenset({"calls"}),
    "overridden": frozenset({"ledger"}),
    "cut": frozenset({"ledger"}),
    "gate": frozenset({"gate"}),
    "write": frozenset({"gate", "writes"}),
    "model_calls": frozenset({"requests"}),
    "received": frozenset({"requests"}),
    "events": frozenset({"ledger"}),
    "nothing_else": frozenset({"ledger"}),
    "contract": frozenset({"ledger"}),
    "custom": EVERY_PART - {"rehearsed"},
    "line": frozenset(),
    "text": frozenset(),
}
"""By the kind of the check. Texts are all that every target reports."""


def missing(check: Check, observation: Observation) -> tuple[str, ...]:
    """What the check needs and the target does not report, in words, in order; empty where it can be measured."""
    parts = set(NEEDS[check.kind]) | _more(check)
    return (*sorted(parts - observation.parts), *_finer(check, observation))


def _more(check: Check) -> set[Part]:
    """What this one needs beyond what all of its kind do."""
    if isinstance(check, WriteCheck):
        ended: set[Part] = {"ledger"} if check.ended is not None else set()
        return ended | ({"rehearsed"} if check.rehearsed else set())
    return set()


def _finer(check: Check, observation: Observation) -> tuple[str, ...]:
    """What is reported in part: decisions without all their layers. A ledger that lacks one is wrong, not silent."""
    if isinstance(check, GateCheck) and "ledger" not in observation.parts:
        seen = [{layer.layer for layer in event.layers} for event in observation.events(GateDecided)]
        wanted = sorted({layer for layer in LAYERS for named in check.expected if layer in named})
        return tuple(f"gate layer {layer}" for layer in wanted if any(layer not in layers for layers in seen))
    return ()
