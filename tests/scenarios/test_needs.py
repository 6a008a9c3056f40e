"""Every check says what it needs to see, so that no target can pass one by silence."""

from __future__ import annotations

from typing import Any

from marg_runtime.parts import EVERY_PART
from marg_scenarios.checks.check import Check
from marg_scenarios.checks.needs import NEEDS


def _kinds(kind: type) -> set[str]:
    found: set[str] = set()
    below: Any
    for below in kind.__subclasses__():
        found |= {str(below.kind)} | _kinds(below)
    return found


def test_every_check_says_what_it_needs() -> None:
    assert set(NEEDS) == _kinds(Check)


def test_only_the_texts_need_no_part() -> None:
    assert {kind for kind, parts in NEEDS.items() if not parts} == {"text", "line"}


def test_every_part_but_the_doubles_count_is_needed_by_a_check_of_its_own() -> None:
    named = {part for kind, parts in NEEDS.items() if kind != "custom" for part in parts}
    assert named == EVERY_PART - {"rehearsed"}
