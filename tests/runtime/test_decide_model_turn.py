"""The model's part of a turn: what it is sent, how often it is called, what becomes of a broken reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from marg_runtime.conversation import AssistantMessage, FactsMessage, ResultMessage, UserMessage
from marg_runtime.domain import Domain
from marg_runtime.errors import ModelError
from marg_runtime.events.model import FactTold, ModelCalled, ModelFailed, ModelReplied, QuestionCut, ToolCalled
from marg_runtime.model import FinishReason

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk


def facts_sent(desk: Desk) -> list[tuple[str, ...]]:
    """The facts that stand in the model's last request, message by message."""
    return [message.facts for message in desk.model.received[-1].messages if isinstance(message, FactsMessage)]


# What it is sent


def test_G6_every_request_carries_the_skill_text_with_the_rule(desk: Desk) -> None:
    desk.hear(desk.call("search", query="x"))
    desk.hear("Fine.")
    desk.say("hello")
    assert [request.system for request in desk.model.received] == [desk.SKILL, desk.SKILL]


def test_G6_the_ledger_says_of_every_request_that_it_carried_the_rule(desk: Desk) -> None:
    desk.to_title()
    assert [event.carries_rule for event in desk.events(ModelCalled)] == [True]


def test_C1_the_ledger_keeps_the_digest_of_every_request(desk: Desk) -> None:
    desk.to_title()
    sent = [request.digest for request in desk.model.received]
    assert [event.request_digest for event in desk.events(ModelCalled)] == sent


def test_the_model_is_offered_its_own_two_tools_and_the_listed_ones(desk: Desk) -> None:
    desk.to_title()
    offered = [tool.name for tool in desk.model.received[0].tools]
    assert offered == ["propose", "reopen", "levels", "search", "create"]


def test_the_model_is_sent_the_users_words(desk: Desk) -> None:
    desk.hear("Hello.")
    desk.say("hello there")
    assert desk.model.received[0].messages == (UserMessage(text="hello there"),)


def test_S1_words_that_settled_a_step_are_not_sent(desk: Desk) -> None:
    desk.to_place()
    desk.hear("Fine.")
    desk.say("what is this?")
    words = [message.text for message in desk.model.received[-1].messages if isinstance(message, UserMessage)]
    assert words == ["hello", "what is this?"]


def test_C4_the_history_sends_only_what_was_shown(desk: Desk) -> None:
    desk.hear("Noted. How urgent is this? Thanks.")
    desk.say("hello")
    desk.hear("Fine.")
    desk.say("what?")
    shown = [message.text for message in desk.model.received[-1].messages if isinstance(message, AssistantMessage)]
    assert shown == ["Noted. Thanks."]


def test_C4_the_ledger_keeps_raw_and_shown(desk: Desk) -> None:
    desk.hear("Noted. How urgent is this?")
    desk.say("hello")
    reply = desk.events(ModelReplied)[0]
    assert (reply.raw, reply.shown) == ("Noted. How urgent is this?", "Noted.")


def test_S4_what_was_cut_stands_in_the_ledger(desk: Desk) -> None:
    desk.hear("Noted. How urgent is this?")
    desk.say("hello")
    assert desk.events(QuestionCut) == [QuestionCut(step="urgency", sentence="How urgent is this?")]


@pytest.mark.parametrize(
    ("reach", "sentence", "step"),
    [
        ("to_title", "How urgent is this?", "urgency"),
        ("to_urgency", "How urgent is this?", "urgency"),
        ("to_note", "How urgent is this?", "urgency"),
        ("to_summary", "Shall I create it?", "confirm"),
        ("to_title", "Do you confirm?", "confirm"),
    ],
)
def test_S4_a_question_of_an_owed_open_or_settled_step_is_cut(desk: Desk, reach: str, sentence: str, step: str) -> None:
    getattr(desk, reach)()
    desk.hear(f"Hm. {sentence}")
    desk.say("what is this?")
    assert (desk.texts("model"), [cut.step for cut in desk.events(QuestionCut)]) == (["Hm."], [step])


def test_S4_a_statement_stays(desk: Desk) -> None:
    desk.hear("High urgency tickets get answered in a day.")
    desk.say("hello")
    assert desk.texts("model") == ["High urgency tickets get answered in a day."]


def test_S4_a_reply_that_was_cut_away_gives_no_text_and_the_question_is_drawn(desk: Desk) -> None:
    desk.hear("What should it be called?")
    desk.say("hello")
    assert (desk.last.texts, desk.block.step) == ((), "title")


# Facts


def test_C5_facts_wait_and_go_once_in_order_with_the_next_request(desk: Desk) -> None:
    desk.to_urgency()
    desk.hear("Fine.")
    desk.say("what is this?")
    assert facts_sent(desk) == [('Title set to "Lamp broken".', "Place set to Office.")]


def test_C5_no_model_is_called_to_tell_a_fact(desk: Desk) -> None:
    desk.to_note()
    assert (len(desk.model.received), len(desk.state.facts)) == (1, 3)


def test_C5_a_fact_is_told_once(desk: Desk) -> None:
    desk.to_urgency()
    for _ in range(3):
        desk.hear("Fine.")
        desk.say("what is this?")
    assert [event.fact for event in desk.events(FactTold)] == ['Title set to "Lamp broken".', "Place set to Office."]


def test_C5_a_fact_stands_where_it_was_told(desk: Desk) -> None:
    """The history keeps it in its place; later facts follow later."""
    desk.to_place()
    desk.hear("Fine.")
    desk.say("what is this?")
    desk.tap("Office")
    desk.hear("Fine.")
    desk.say("what is that?")
    assert facts_sent(desk) == [('Title set to "Lamp broken".',), ("Place set to Office.",)]


def test_C5_facts_go_before_the_words_of_the_turn(desk: Desk) -> None:
    desk.to_place()
    desk.hear("Fine.")
    desk.say("what is this?")
    assert [type(message) for message in desk.model.received[-1].messages[-2:]] == [FactsMessage, UserMessage]


def test_C5_a_fact_of_the_turn_itself_goes_with_its_next_request(desk: Desk) -> None:
    desk.hear(desk.propose("title", "Lamp broken"))
    desk.hear("Fine.")
    desk.say("Lamp broken")
    assert isinstance(desk.model.received[-1].messages[-1], FactsMessage)


def test_C5_facts_told_with_a_request_that_broke_are_in_the_next_one(desk: Desk) -> None:
    desk.to_place()
    desk.break_off(ModelError("gone"))
    desk.say("what is this?")
    desk.hear("Fine.")
    desk.say("what is that?")
    assert facts_sent(desk) == [('Title set to "Lamp broken".',)]


def test_C5_a_refused_write_is_a_fact(desk: Desk) -> None:
    desk.to_summary()
    desk.say("yes")
    desk.hear("Sorry.")
    desk.say("why not?")
    assert facts_sent(desk)[-1][-1].startswith("Nothing was created.")


def test_C5_a_write_that_was_done_is_a_fact(desk: Desk, writes_on: None) -> None:
    desk.to_summary()
    desk.say("yes")
    desk.hear("Good.")
    desk.say("thanks for that, how long will it take?")
    assert facts_sent(desk)[-1][-1] == "Created: T-1."


def test_C5_a_declined_summary_is_a_fact(desk: Desk) -> None:
    desk.to_summary()
    desk.say("no")
    desk.hear("What shall I change?")
    desk.say("the title")
    assert facts_sent(desk)[-1][-1] == "The user declined the summary. Nothing was created."


# How often


def test_C4_the_model_is_called_eight_times_a_turn_at_most(desk: Desk) -> None:
    for _ in range(9):
        desk.hear(desk.call("search", query="x"))
    desk.say("hello")
    assert (len(desk.model.received), [event.number for event in desk.events(ModelCalled)]) == (8, list(range(1, 9)))


def test_C4_after_the_eighth_call_the_question_is_drawn(desk: Desk) -> None:
    for _ in range(8):
        desk.hear(desk.call("search", query="x"))
    assert (desk.say("hello").block or desk.block).step == "title"


def test_C4_the_results_of_the_eighth_call_go_with_the_next_turn(desk: Desk) -> None:
    for _ in range(8):
        desk.hear(desk.call("search", query="x"))
    desk.say("hello")
    desk.hear("Fine.")
    desk.say("what?")
    assert sum(isinstance(message, ResultMessage) for message in desk.model.received[-1].messages) == 8


def test_C4_each_turn_counts_from_one(desk: Desk) -> None:
    for _ in range(2):
        desk.hear("Fine.")
        desk.say("what?")
    assert [event.number for event in desk.events(ModelCalled)] == [1, 1]


@pytest.mark.parametrize("reason", ["stop", "length", "refusal"])
def test_C4_a_whole_reply_ends_as_it_says(desk: Desk, reason: FinishReason) -> None:
    desk.hear("Hello.", reason=reason)
    desk.say("hello")
    assert (desk.events(ModelReplied)[0].finish, desk.block.step) == (reason, "title")


# What breaks


def test_C4_a_reply_that_breaks_is_recorded_with_what_was_shown(desk: Desk) -> None:
    desk.break_off("One. Two is ", ModelError("connection reset"))
    desk.say("hello")
    assert desk.events(ModelFailed) == [ModelFailed(raw="One. Two is ", shown="One.", error="connection reset")]


def test_C4_the_ledger_keeps_how_the_wire_broke(desk: Desk) -> None:
    desk.break_off("One.", ModelError("connection reset", kind="reset"))
    desk.say("hello")
    assert [event.kind for event in desk.events(ModelFailed)] == ["reset"]


def test_C4_of_a_broken_reply_no_half_sentence_is_shown(desk: Desk) -> None:
    desk.break_off("One. Two is ", ModelError("connection reset"))
    desk.say("hello")
    assert desk.texts("model") == ["One."]


def test_C4_a_broken_reply_is_told_and_the_question_drawn(desk: Desk) -> None:
    before = desk.to_place().block
    desk.break_off(ModelError("connection reset"))
    answer = desk.say("what is this?")
    assert (desk.texts("runtime"), answer.block) == (["I could not answer that just now."], before)


def test_C4_a_stream_without_its_end_is_a_broken_reply(desk: Desk) -> None:
    desk.break_off("One. Two.")
    desk.say("hello")
    failed = desk.events(ModelFailed)[0]
    assert (failed.shown, failed.error) == ("One.", "the reply ended without its end")


def test_C4_an_empty_stream_is_a_broken_reply(desk: Desk) -> None:
    desk.break_off()
    desk.say("hello")
    assert len(desk.events(ModelFailed)) == 1


def test_C4_the_calls_of_a_broken_reply_do_not_count(desk: Desk) -> None:
    desk.break_off(desk.propose("title", "hello"), desk.call("search", query="x"), ModelError("connection reset"))
    desk.say("hello")
    assert (desk.events(ToolCalled), desk.values, desk.scripted.calls) == ([], {}, [])


def test_C4_the_history_has_what_a_broken_reply_showed(desk: Desk) -> None:
    desk.break_off("One. Two is ", ModelError("connection reset"))
    desk.say("hello")
    desk.hear("Fine.")
    desk.say("what?")
    assert desk.model.received[-1].messages[:2] == (UserMessage(text="hello"), AssistantMessage(text="One."))


def test_C4_what_a_broken_reply_asked_is_cut_too(desk: Desk) -> None:
    desk.break_off("How urgent is this? And ", ModelError("connection reset"))
    desk.say("hello")
    assert ([cut.step for cut in desk.events(QuestionCut)], desk.texts("model")) == (["urgency"], [])


def test_G6_a_request_that_went_without_the_rule_is_counted(
    make_desk: MakeDesk, domain_with: Callable[..., Domain], writes_on: None
) -> None:
    domain = domain_with()
    desk = make_desk(domain=domain)
    object.__setattr__(domain, "skill", "Be brief.")
    desk.to_title()
    object.__setattr__(domain, "skill", desk.SKILL)
    desk.say("Lamp broken")
    for label in ("Office", "High", "Skip", "Create"):
        desk.tap(label)
    assert ((desk.state.requests, desk.state.requests_with_rule), desk.writes) == ((1, 0), [])
