"""What the state says of the next model request."""

from __future__ import annotations

from marg_runtime.conversation import AssistantMessage, FactsMessage, UserMessage
from marg_runtime.draft import Draft
from marg_runtime.state import State


def test_a_new_session_begins_with_the_first_draft() -> None:
    assert State().draft == Draft(id="draft-1")


def test_a_new_session_sends_nothing() -> None:
    assert State().outgoing() == ()


def test_C5_facts_go_before_the_words_that_were_not_sent() -> None:
    before = AssistantMessage(text="Hello.")
    state = State(messages=(before,), telling=("Title set.", "Place set."), unsent="and now?")
    facts = FactsMessage(facts=("Title set.", "Place set."))
    assert state.outgoing() == (before, facts, UserMessage(text="and now?"))


def test_C5_facts_that_still_wait_do_not_go() -> None:
    assert State(facts=("Title set.",)).outgoing() == ()


def test_an_empty_message_of_the_users_goes_too() -> None:
    assert State(unsent="").outgoing() == (UserMessage(text=""),)
