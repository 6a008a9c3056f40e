"""The draft: settled values, and the arguments that are compiled from them."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from marg_runtime.canonical import Json
from marg_runtime.draft import Draft, Value


def value(content: Json) -> Value:
    return Value(value=content, label=str(content), provenance="tap")


def test_a_new_draft_has_no_arguments() -> None:
    assert Draft(id="draft-1").arguments() == {}


def test_arguments_are_the_values_and_not_the_labels() -> None:
    settled = Value(value="high", label="High!", provenance="typed")
    assert Draft(id="draft-1").settle("urgency", settled).arguments() == {"urgency": "high"}


def test_a_null_that_was_settled_is_an_argument() -> None:
    assert Draft(id="draft-1").settle("place", value(None)).arguments() == {"place": None}


def test_settling_again_replaces_the_value() -> None:
    draft = Draft(id="draft-1").settle("place", value("home")).settle("place", value("office"))
    assert draft.arguments() == {"place": "office"}


def test_a_dropped_slot_is_absent() -> None:
    draft = Draft(id="draft-1").settle("place", value("home")).settle("note", value("x")).drop("place")
    assert draft.arguments() == {"note": "x"}


def test_dropping_what_is_not_there_changes_nothing() -> None:
    draft = Draft(id="draft-1").settle("place", value("home"))
    assert draft.drop("note") == draft


def test_settling_leaves_the_draft_before_as_it_was() -> None:
    before = Draft(id="draft-1")
    before.settle("place", value("home"))
    assert before.values == {}


def test_a_draft_cannot_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        Draft(id="draft-1").id = "draft-2"  # type: ignore[misc]
