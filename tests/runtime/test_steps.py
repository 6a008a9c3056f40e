"""The steps' own fields: what a step needs, what it says, what its patterns are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from marg_runtime.errors import UsageError
from marg_runtime.steps import Option, chips_step, confirm_step, review_step, text_step

OPTIONS = [Option(label="Office", value="office")]


def chips(**changes: Any) -> Any:
    fields: dict[str, Any] = {"key": "place", "label": "Place", "slot": "place", "lead": "Where?", "options": OPTIONS}
    return chips_step(**{**fields, **changes})


def text(**changes: Any) -> Any:
    return text_step(**{"key": "title", "label": "Title", "slot": "title", "lead": "What?", **changes})


@pytest.mark.parametrize("make", [chips, text])
@pytest.mark.parametrize("field", ["key", "label", "slot", "lead"])
@pytest.mark.parametrize("blank", ["", " \t"])
def test_a_step_without_a_part_is_refused(make: Callable[..., Any], field: str, blank: str) -> None:
    with pytest.raises(UsageError, match=f"a step needs a {field}, got {re.escape(repr(blank))}"):
        make(**{field: blank})


def test_the_fact_holds_the_label_of_the_value() -> None:
    assert chips(say="Place set to {v}.").fact("Office") == "Place set to Office."


def test_the_fact_names_the_step_where_nothing_else_was_said() -> None:
    assert text().fact("Lamp") == "Title set to Lamp."


def test_G10_a_value_that_looks_like_a_place_holder_stays_as_it_is() -> None:
    assert text(say="{v}").fact("{label} {v}") == "{label} {v}"


def test_a_pattern_given_as_text_ignores_case() -> None:
    assert chips(asks_like=r"\bwhere\b").asks_like.search("WHERE is it")


def test_a_compiled_pattern_is_taken_as_it_is() -> None:
    pattern = re.compile("where")
    assert text(asks_like=pattern).asks_like is pattern


def test_a_step_is_required_and_read_by_its_whole_message_unless_told_otherwise() -> None:
    assert (chips().required, chips().policy) == (True, "whole_message")


def test_options_cannot_change_behind_the_step() -> None:
    options = list(OPTIONS)
    step = chips(options=options)
    options.append(Option(label="Home", value="home"))
    assert len(step.options) == 1


def test_options_may_be_found_by_a_coroutine() -> None:
    async def find(context: object) -> list[Option]:
        return []

    assert chips(options=find).options is find


@pytest.mark.parametrize("length", [0, -1])
def test_a_text_without_room_is_refused(length: int) -> None:
    with pytest.raises(UsageError, match=f"max_length is at least 1, got {length}"):
        text(max_length=length)


def test_S2_the_model_may_propose_only_where_the_step_says_so() -> None:
    assert (text().proposable, text(proposable=True).proposable) == (False, True)


def test_every_confirmation_has_the_one_key() -> None:
    assert confirm_step(label="Ticket", lead="Create?").key == "confirm"


@pytest.mark.parametrize(
    "fields", [{"lead": " "}, {"create_label": ""}, {"decline_label": " "}, {"decline_label": "Create"}]
)
def test_a_confirmation_that_cannot_be_answered_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="needs a lead and two different option labels"):
        confirm_step(**{"label": "Ticket", "lead": "Create?", **fields})  # type: ignore[arg-type]


def test_the_pattern_of_a_confirmation_ignores_case_too() -> None:
    step = confirm_step(label="Ticket", lead="Create?", asks_like="create")
    assert step.asks_like is not None
    assert step.asks_like.search("CREATE")


def test_two_options_of_one_label_are_refused() -> None:
    options = [Option(label="Anna", value=1), Option(label="anna", value=2)]
    with pytest.raises(UsageError, match="two options have the label 'anna'"):
        chips_step(key="k", label="K", slot="k", lead="Who?", options=options)


@pytest.mark.parametrize("field", ["label", "lead", "option_label", "back_label"])
def test_a_review_without_a_text_is_refused(field: str) -> None:
    with pytest.raises(UsageError, match="a review needs four texts"):
        review_step(**{field: " "})  # type: ignore[arg-type]


def test_a_step_of_one_slot_has_one_part() -> None:
    assert [(part.slot, part.label) for part in chips().parts] == [("place", "Place")]
