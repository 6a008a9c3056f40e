"""A domain holds together, or says why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from marg_runtime.canonical import digest
from marg_runtime.domain import Domain, SlotStep
from marg_runtime.errors import UsageError
from marg_runtime.steps import text_step
from marg_runtime.tools.tool import ToolName

Make = Callable[..., Domain]


def step(key: str, *, slot: str | None = None, depends_on: tuple[str, ...] = ()) -> SlotStep:
    return text_step(key=key, label=key, slot=slot or key, lead="?", depends_on=depends_on)


def test_G6_a_skill_text_without_the_rule_is_refused(domain_with: Make) -> None:
    with pytest.raises(UsageError, match=r"domain 'desk': the skill text does not contain the rule 'Never.*add it"):
        domain_with(skill="Be brief.")


@pytest.mark.parametrize("rule", ["", "  \n"])
def test_G6_a_blank_rule_is_refused(domain_with: Make, rule: str) -> None:
    with pytest.raises(UsageError, match="does not contain the rule"):
        domain_with(rule=rule)


def test_G7_a_write_among_the_read_tools_is_refused(domain_with: Make) -> None:
    create = ToolName(server="desk", name="create")
    with pytest.raises(UsageError, match="'desk/create' is both the write and a read tool"):
        domain_with(read_tools=frozenset({create}))


def test_G7_a_read_tool_of_the_writes_name_on_another_server_is_another_tool(domain_with: Make) -> None:
    other = ToolName(server="other", name="create")
    assert domain_with(read_tools=frozenset({other})).read_tools == {other}


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((step("a"), step("a", slot="b")), "step 'a' repeats a key or the slot 'b'"),
        ((step("a"), step("b", slot="a")), "step 'b' repeats a key or the slot 'a'"),
        ((step("confirm"),), "step 'confirm' repeats a key"),
        ((step("review"),), "step 'review' repeats a key"),
        ((step("a", depends_on=("confirm",)),), "step 'a' depends on 'confirm', which is no earlier step"),
        ((step("a", depends_on=("z",)),), "step 'a' depends on 'z', which is no earlier step"),
        ((step("a", depends_on=("b",)), step("b")), "step 'a' depends on 'b', which is no earlier step"),
        ((step("a", depends_on=("a",)),), "step 'a' depends on 'a', which is no earlier step"),
    ],
)
def test_steps_that_do_not_hold_together_are_refused(domain_with: Make, steps: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        domain_with(steps=steps)


@pytest.mark.parametrize("slot", ["confirmed", "idempotency_key"])
def test_G6_a_slot_of_the_runtimes_own_arguments_is_refused(domain_with: Make, slot: str) -> None:
    with pytest.raises(UsageError, match=f"{slot!r}"):
        domain_with(steps=(step("a", slot=slot),))


def test_a_step_is_found_by_its_key_and_by_its_slot(domain_with: Make) -> None:
    domain = domain_with(steps=(step("a", slot="x"),))
    assert (domain.step("a"), domain.slot_step("x")) == (domain.steps[0], domain.steps[0])


def test_what_is_not_there_is_not_found(domain_with: Make) -> None:
    domain = domain_with(steps=(step("a", slot="x"),))
    assert (domain.step("x"), domain.slot_step("a")) == (None, None)


def test_S1_dependants_are_found_through_chains_in_the_order_of_the_domain(domain_with: Make) -> None:
    chain = (step("a"), step("b", depends_on=("a",)), step("c"), step("d", depends_on=("c", "b")))
    assert [found.key for found in domain_with(steps=chain).dependants("a")] == ["b", "d"]


def test_S1_the_last_step_has_no_dependants(domain_with: Make) -> None:
    assert domain_with(steps=(step("a"), step("b", depends_on=("a",)))).dependants("b") == ()


def test_C6_the_skill_digest_is_that_of_the_text(domain_with: Make) -> None:
    domain = domain_with()
    assert domain.skill_digest == digest(domain.skill)


@pytest.mark.parametrize(
    ("data", "text"), [({"id": "T-1"}, "T-1"), ({"id": 0}, "0"), ({}, "done"), (None, "done"), (["id"], "done")]
)
def test_a_receipt_is_called_by_its_id_or_by_nothing_that_could_be_wrong(
    domain_with: Make, data: Any, text: str
) -> None:
    assert domain_with().receipt(data) == text
