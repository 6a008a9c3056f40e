"""The table of rules. Names are those of the specification; each row needs all that it lists.

Every rule but those of the wire, of order and of chance needs the red to come back in the head's own clean run, so that
what it swaps next is swapped from a failure that stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from marg_reports.triage.findings import About
from marg_reports.triage.rule import Rule
from marg_reports.triage.words import RedClass

_WORDS: Final[Mapping[str, About]] = {
    "owner": About(cell="red", dimension="owner"),
    "replies": About(cell="red", dimension="replies"),
    "wire": About(cell="red", dimension="wire"),
    "raised": About(cell="red", dimension="raised"),
    "declared": About(cell="red", dimension="declared"),
    "bundle": About(cell="bundle"),
    "clean_wire": About(cell="clean_wire"),
    "varied": About(cell="varied"),
    "base_varied": About(cell="base_varied"),
    "base_runtime": About(cell="base_runtime"),
    "base_canonical": About(cell="base_runtime", dimension="canonical"),
    "digests": About(cell="base_runtime", dimension="digests"),
    "base_check": About(cell="base_check"),
    "base_check_canonical": About(cell="base_check", dimension="canonical"),
    "base_pair": About(cell="base_pair"),
    "base_pair_canonical": About(cell="base_pair", dimension="canonical"),
    "alone": About(cell="alone"),
    "in_order": About(cell="in_order"),
    "base_in_order": About(cell="base_in_order"),
    "old_judges": About(cell="old_judges_in_order"),
    "fresh_runtime": About(cell="fresh_runtime"),
    "intent": About(cell="intent"),
    "mutants": About(cell="intent", dimension="mutants"),
    "settings": About(cell="settings"),
    "settings_canonical": About(cell="settings", dimension="canonical"),
    "live": About(cell="live"),
}

_STANDS = {"bundle": "complete", "clean_wire": "same", "varied": "pass same other"}
_WAVERS = {"bundle": "complete", "varied": "mixed"}
_GONE = {"bundle": "complete", "clean_wire": "pass", "varied": "pass"}
_ONLY_THERE = {**_GONE, "in_order": "pass"}
_NOT_EXCUSED = {"intent": "unsatisfied undeclared"}
_FAILS = "same other"
_NO_BASE_HOLD = "same other absent"


def _rule(name: str, red_class: RedClass, sub: str, *parts: Mapping[str, str], **more: str) -> Rule:
    needs: dict[About, frozenset[str]] = {}
    for part in (*parts, more):
        needs |= {_WORDS[word]: frozenset(found.split()) for word, found in part.items()}
    return Rule(name=name, red_class=red_class, sub=sub, needs=needs)


def _wire() -> tuple[Rule, ...]:
    broken = {**_ONLY_THERE, "wire": "broken"}
    # Nothing broke, or it recovered, and yet it fails there alone, where the base bears the same.
    borne = {**_ONLY_THERE, "wire": "clean recovered", "settings": "base_passes"}
    return (
        _rule("R1", "transport", "", broken, settings="equal base_fails"),
        _rule("R1c", "regression", "transport_config", broken, settings="base_passes"),
        _rule("R1c", "regression", "transport_config", borne),
    )


def _order() -> tuple[Rule, ...]:
    leaks = {**_GONE, "alone": "pass", "in_order": "same"}
    old = {"base_in_order": "same"}
    return (
        _rule("R2", "brittle_check", "order", leaks, base_in_order="same", fresh_runtime="same"),
        # The head's own check remembers what it saw before: with the base's it is not there.
        _rule("R2", "brittle_check", "order", leaks, old, fresh_runtime="pass", old_judges="pass"),
        _rule("R2", "pre_existing", "state_leak", leaks, old, fresh_runtime="pass", old_judges="same"),
        _rule("R2", "regression", "state_leak", leaks, base_in_order="pass", declared="no"),
    )


def _check() -> tuple[Rule, ...]:
    moved = {**_STANDS, "base_runtime": "same", "base_pair": "pass", "base_check": "pass"}
    raised = {**_STANDS, **_NOT_EXCUSED, "raised": "check", "base_runtime": "same"}
    equal = {"base_canonical": "equal"}
    return (
        _rule("R3", "brittle_check", "form", _STANDS, intent="satisfied", mutants="rejected"),
        # What wavers in nothing but a declared form: the intent was asked of every run that failed.
        _rule("R3", "brittle_check", "form", _WAVERS, intent="satisfied", mutants="rejected"),
        _rule("R3b", "brittle_check", "tightened", moved, _NOT_EXCUSED, equal, raised="nothing"),
        _rule("R3c", "brittle_check", "mock_drift", moved, _NOT_EXCUSED, raised="machine"),
        _rule("R3d", "brittle_check", "error", raised, base_check="pass absent", base_pair="pass absent"),
        _rule("R3d", "brittle_check", "error", raised, base_pair="same"),
    )


def _runtime() -> tuple[Rule, ...]:
    # On a clean wire it may fail in another way than behind a broken one: it fails, where the base does not.
    caused = {
        **_STANDS,
        **_NOT_EXCUSED,
        "clean_wire": _FAILS,
        "base_runtime": "pass",
        "base_canonical": "differ",
        "declared": "no",
    }
    # Both the check and the runtime moved: the old check, which passed on the old runtime, fails on the new one.
    also_moved = {**_STANDS, **_NOT_EXCUSED, "base_runtime": _FAILS, "base_pair": "pass", "base_check": _FAILS}
    return (
        _rule("R4", "regression", "behaviour", caused, raised="nothing check machine"),
        _rule("R4", "regression", "crash", caused, raised="runtime"),
        _rule("R4", "regression", "behaviour", also_moved, declared="no"),
        _rule("R4", "regression", "nondeterminism", _WAVERS, _NOT_EXCUSED, base_varied="pass"),
    )


def _model() -> tuple[Rule, ...]:
    drawn = {
        **_STANDS,
        **_NOT_EXCUSED,
        "varied": "pass",
        "owner": "model",
        "replies": "recorded",
        "raised": "nothing machine",
        "base_runtime": "same",
        "base_pair": _NO_BASE_HOLD,
    }
    return (
        _rule("R5", "model_flake", "", drawn, digests="equal"),
        _rule("R6", "regression", "rate", drawn, digests="differ", live="higher", declared="no"),
        _rule("R6b", "model_flake", "", drawn, digests="differ", live="unchanged"),
    )


def _before() -> tuple[Rule, ...]:
    held = {
        **_STANDS,
        **_NOT_EXCUSED,
        "raised": "nothing runtime machine",
        "base_runtime": "same",
        "base_pair": _NO_BASE_HOLD,
    }
    return (
        _rule("R7", "pre_existing", "defect", held, owner="runtime"),
        # It stands behind a wire that recovered, and there alone: the base makes the same of it.
        _rule(
            "R7", "pre_existing", "defect", _ONLY_THERE, wire="recovered", settings="equal", settings_canonical="equal"
        ),
        _rule("R7", "pre_existing", "defect", held, owner="model", varied="same"),
        _rule("R7", "pre_existing", "nondeterminism", _WAVERS, _NOT_EXCUSED, base_varied="mixed same"),
    )


RULES: Final[tuple[Rule, ...]] = (*_wire(), *_order(), *_check(), *_runtime(), *_model(), *_before())
"""All rules, in the order in which they are tried."""
