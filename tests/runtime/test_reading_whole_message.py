"""The rules R1 to R9 of the reader, and the public failures that it must not repeat."""

from __future__ import annotations

import pytest

from marg_runtime import Question, read
from marg_runtime.reading.kinds import QuestionKind

CREATE = Question(text="Shall I create this ticket?", kind="confirm")
CHECK = Question(text="To confirm: a ticket with high priority. Is that right?", kind="confirm")
OFFER = Question(text="Would you like me to reserve a table?", kind="offer")
MORE = Question(text="Is there anything else I can help you with?", kind="more")

HARD = (
    "Yes but change the title to login fails",
    "Keep this private please",
    "No, create it later",
    "yes, Friday please",
    "No. Subtitles please.",
    "yes, later",
    "not sure",
    "not yet",
    "what about tomorrow",
)


def kind(reply: str, question: Question | None = CREATE) -> str:
    return read(reply, question).kind


@pytest.mark.parametrize("reply", ["yes", "Yes please", "ok", "yes, the ticket please", "sure thanks"])
def test_R1_a_reply_of_confirm_words_politeness_and_nouns_is_plain_yes(reply: str) -> None:
    assert kind(reply) == "plain_yes"


@pytest.mark.parametrize("reply", ["no", "No thanks", "nope, thank you"])
def test_R1_a_reply_of_deny_words_and_politeness_is_plain_no(reply: str) -> None:
    assert kind(reply) == "plain_no"


@pytest.mark.parametrize("reply", ["please", "thanks", "the ticket", ""])
def test_R1_a_reply_without_a_confirm_word_is_content(reply: str) -> None:
    assert kind(reply) == "content"


@pytest.mark.parametrize("reply", HARD)
def test_R1_whatever_holds_more_than_the_answer_is_content(reply: str) -> None:
    assert kind(reply) == "content"


@pytest.mark.parametrize("reply", ["go ahead", "no problem", "that is correct", "why not", "no worries go ahead"])
def test_R2_a_phrase_is_read_as_one(reply: str) -> None:
    assert kind(reply) == "plain_yes"


@pytest.mark.parametrize("reply", ["yesterday", "DISAPPROVE", "Nice try", "xyz", "know", "okapi", "unsure"])
def test_R2_a_part_of_a_word_never_counts(reply: str) -> None:
    assert kind(reply) == "content"


def test_R2_a_phrase_does_not_cross_the_end_of_a_sentence() -> None:
    assert kind("No. Problem with the title.") == "content"


def test_R2_the_longest_phrase_wins() -> None:
    assert kind("no but thank you", MORE) == "plain_no"


@pytest.mark.parametrize(
    "reply", ["yes, that is correct", "yes, please create it", "yes, that's right, thanks", "yes, that is the one"]
)
def test_R3_restating_the_question_adds_nothing(reply: str) -> None:
    assert kind(reply) == "plain_yes"


def test_R3_a_shown_value_may_be_restated() -> None:
    table = Question(text="Shall I book it?", values=("a table for two at 7 pm",))
    assert kind("yes, a table for two at 7 pm", table) == "plain_yes"


def test_R3_a_value_that_differs_is_content() -> None:
    table = Question(text="Shall I book it?", values=("a table for two at 7 pm",))
    assert kind("yes, a table for two at 8 pm", table) == "content"


def test_R3_a_part_of_a_shown_value_is_content() -> None:
    assert kind("yes, main street", Question(text="Shall I book it?", values=("12 main street",))) == "content"


def test_R3_a_shown_value_alone_is_no_yes() -> None:
    assert kind("high", Question(text="Shall I create it?", values=("High",))) == "content"


@pytest.mark.parametrize("question_kind", ["confirm", "review"])
def test_R3_keep_this_private_is_content_with_private_on_the_card(question_kind: QuestionKind) -> None:
    card = Question(text="Keep it or change something?", kind=question_kind, values=("private", "Private"))
    assert kind("Keep this private please", card) == "content"


@pytest.mark.parametrize("value", ["yes", "but change the title", "create it later", "not", "Yes, create", "no"])
def test_R3_a_value_that_holds_a_deciding_word_is_not_admitted(value: str) -> None:
    card = Question(text="Shall I create it?", values=(value,))
    assert [kind(reply, card) for reply in HARD] == ["content"] * len(HARD)


def test_R3_what_the_question_leaves_out_is_no_echo() -> None:
    assert kind("yes, subtitles please", Question(text="Play the film without subtitles?")) == "content"


@pytest.mark.parametrize("reply", ["sounds good to me", "that's perfect", "looks good", "I'm good"])
def test_R4_praise_after_a_check_is_a_yes(reply: str) -> None:
    assert kind(reply, CHECK) == "plain_yes"


@pytest.mark.parametrize("reply", ["I'm good", "I'm fine"])
def test_R4_i_am_good_after_an_offer_is_no_yes(reply: str) -> None:
    assert kind(reply, OFFER) == "content"


def test_R4_i_am_good_beside_a_no_is_a_no() -> None:
    assert kind("No, I'm good", OFFER) == "plain_no"


@pytest.mark.parametrize(
    "reply", ["yes?", "yes 2", "yes two", "yes and no", "not sure", "not yet", "yes but", "yes, later", "yes zxqy"]
)
def test_R5_doubt_numbers_conflict_and_strange_words_are_content(reply: str) -> None:
    assert kind(reply) == "content"


@pytest.mark.parametrize("reply", ["yes", "no", "the first"])
def test_R6_a_choice_question_is_never_read_yes_or_no(reply: str) -> None:
    assert kind(reply, Question(text="Economy or business?", kind="confirm")) == "content"


@pytest.mark.parametrize("text", ["Will that be all?", "Do you mind if I create it?", "You don't want insurance?"])
@pytest.mark.parametrize("reply", ["yes", "no"])
def test_R6_an_inverted_question_is_content_until_declared(text: str, reply: str) -> None:
    assert kind(reply, Question(text=text)) == "content"


def test_R6_a_declared_inversion_turns_the_answer_round() -> None:
    question = Question(text="Do you mind?", polarity="inverted")
    assert (kind("no", question), kind("yes", question)) == ("plain_yes", "plain_no")


@pytest.mark.parametrize("reply", ["yes", "okay thanks", "no"])
def test_R6_with_no_open_question_nothing_is_an_answer(reply: str) -> None:
    assert kind(reply, None) == "content"


@pytest.mark.parametrize("reply", ["oui", "si", "ja", "ne", "na", "da", "sí", "hai", "はい", "да"])
def test_R7_no_word_of_another_language_is_an_answer(reply: str) -> None:
    assert kind(reply) == "content"


def test_R7_a_language_without_a_vocabulary_says_so() -> None:
    reading = read("yes", CREATE, language="sv")
    assert (reading.kind, reading.has_vocabulary) == ("content", False)
    assert "'sv'" in reading.why[0]


@pytest.mark.parametrize(
    "reply",
    [
        "yesss",
        "YES",
        "ｙｅｓ",
        "y\u200bes",
        "\u202eyes\u202c",
        "that\u2019s right",
        "👍",
        "👍🏽",
        "👍🏿",
        "yes 🙂",
        "yes\\r",
    ],
)
def test_R8_the_written_form_does_not_hide_a_yes(reply: str) -> None:
    assert kind(reply) == "plain_yes"


@pytest.mark.parametrize("reply", ["noooo", "NO", "👎🏻", "no\u200d", "Ｎｏ"])
def test_R8_the_written_form_does_not_hide_a_no(reply: str) -> None:
    assert kind(reply) == "plain_no"


@pytest.mark.parametrize("reply", ["уеs", "yеs", "nо", "yes \U000e0fff", "yes \ue000", "yes \ud800", "...", "🤷"])
def test_R8_look_alikes_and_strange_characters_are_content(reply: str) -> None:
    assert kind(reply) == "content"


@pytest.mark.parametrize(
    ("reply", "at_a_check", "at_an_offer"),
    [
        ("Nice", "content", "content"),
        ("no thanks, I'm good", "plain_no", "plain_no"),
        ("that's okay", "plain_yes", "content"),
        ("yes, that's okay", "plain_yes", "plain_yes"),
        ("no, that's okay", "content", "plain_no"),
        ("okay thanks", "plain_yes", "plain_yes"),
        ("that is not false", "content", "content"),
        ("confirm", "plain_yes", "content"),
        ("please confirm it", "content", "content"),
        ("confirm the title", "content", "content"),
        ("approve", "plain_yes", "content"),
        ("reject", "content", "content"),
        ("yeah right", "content", "content"),
        ("should be fine", "content", "content"),
        ("I'm done", "content", "content"),
        ("not now", "content", "content"),
        ("no, not now", "plain_no", "plain_no"),
        ("please do", "plain_yes", "plain_yes"),
        ("don't", "plain_no", "plain_no"),
        ("y", "plain_yes", "plain_yes"),
        ("ok but why", "content", "content"),
        ("whatever", "content", "content"),
        ("yeah right, as if", "content", "content"),
    ],
)
def test_hard_replies_are_read_by_what_was_asked(reply: str, at_a_check: str, at_an_offer: str) -> None:
    assert (kind(reply, CHECK), kind(reply, OFFER)) == (at_a_check, at_an_offer)


@pytest.mark.parametrize("reply", ["continue", "go ahead", "approved", "proceed please"])
def test_R6_going_on_is_no_yes_to_a_question_that_stops_something(reply: str) -> None:
    assert kind(reply, Question(text="Shall I cancel this booking?")) == "content"
    assert kind(reply, CREATE) == "plain_yes"


@pytest.mark.parametrize("text", ["Don't send it?", "So no reminder?"])
@pytest.mark.parametrize("reply", ["yes", "no"])
def test_R6_a_question_that_begins_with_a_not_is_content(text: str, reply: str) -> None:
    assert kind(reply, Question(text=text)) == "content"


@pytest.mark.parametrize(("text", "reply"), [("Shall I run the tests?", "run it"), ("Shall I zip it?", "yes, zip it")])
def test_R3_the_verb_that_the_question_asks_about_may_be_repeated(text: str, reply: str) -> None:
    assert kind(reply, Question(text=text)) == "plain_yes"


def test_R9_every_word_has_its_place_and_class() -> None:
    reading = read("Yes but the title", CREATE)
    assert [(t.text, t.start, t.end, t.token_class) for t in reading.tokens] == [
        ("Yes", 0, 3, "confirm"),
        ("but", 4, 7, "change"),
        ("the", 8, 11, "unknown"),
        ("title", 12, 17, "unknown"),
    ]


def test_R9_the_words_that_made_it_content_are_named() -> None:
    assert read("yes but", CREATE).why == ("'but' asks for something else",)


def test_failure_1_a_yes_with_another_day_is_content() -> None:
    assert kind("yes, Friday please") == "content"


@pytest.mark.parametrize("question_kind", ["confirm", "offer", "more", "other", "optional", "boolean_slot"])
def test_failure_3_read_the_second_one_is_no_answer(question_kind: QuestionKind) -> None:
    assert kind("read the second one", Question(text="Is that right?", kind=question_kind)) == "content"


def test_failure_4_yesterday_is_no_yes() -> None:
    assert kind("yesterday") == "content"


@pytest.mark.parametrize("reply", ["the blue one", "I said Berlin", "whatever you say captain"])
def test_failure_5_not_every_phrase_confirms(reply: str) -> None:
    assert kind(reply) == "content"


def test_failure_6_disapprove_is_no_approval() -> None:
    assert (kind("DISAPPROVE"), kind("approved")) == ("content", "plain_yes")


@pytest.mark.parametrize("reply", ["skip", "none", "no", "nothing"])
@pytest.mark.parametrize("text", ["Any note to add?", "Anything to add?", "What else? Type it, or skip."])
def test_an_optional_step_is_skipped_by_a_word(text: str, reply: str) -> None:
    assert kind(reply, Question(text=text, kind="optional")) == "plain_no"


@pytest.mark.parametrize("reply", ["cancel", "forget it", "never mind", "nevermind", "cancel that please"])
def test_a_cancel_phrase_is_a_yes_of_the_cancel_dialect(reply: str) -> None:
    assert kind(reply, Question(kind="cancel")) == "plain_yes"


@pytest.mark.parametrize(
    ("reply", "expected"), [("cancel", "content"), ("yes, discard it", "plain_yes"), ("no", "plain_no")]
)
def test_R6_cancel_may_call_off_what_is_called_off(reply: str, expected: str) -> None:
    assert kind(reply, Question(text="Shall I discard this draft?", kind="cancel")) == expected


@pytest.mark.parametrize("reply", ["never mind", "forget it", "pass"])
def test_R1_calling_it_off_is_no_plain_no_of_a_confirmation(reply: str) -> None:
    assert kind(reply) == "content"


def test_R3_the_name_of_a_field_stands_for_that_field_alone() -> None:
    named = Question(text="Shall I create it? Title: Rain in the hall; Details: By the door.")
    assert kind("the details are right", named) == "content"
    assert kind("the details are right", CHECK) == "plain_yes"


@pytest.mark.parametrize("reply", ["correct the title please", "correct it", "correct that please"])
def test_R1_a_confirm_word_that_is_used_as_a_verb_is_content(reply: str) -> None:
    assert kind(reply, Question(text="Title: Rain; Priority: High. Shall I create it?")) == "content"


def test_R4_one_word_of_content_after_an_offer_is_no_yes() -> None:
    assert [kind(reply, OFFER) for reply in ("good", "fine", "great")] == ["content", "content", "plain_yes"]


@pytest.mark.parametrize("reply", ["keep", "keep it", "no changes", "yes", "looks good"])
def test_keep_is_a_yes_of_the_review_dialect(reply: str) -> None:
    assert kind(reply, Question(text="Does this look right?", kind="review")) == "plain_yes"


@pytest.mark.parametrize("text", ["Keep it or change something?", "Anything to change?"])
@pytest.mark.parametrize(
    ("reply", "expected"),
    [("keep it", "plain_yes"), ("no changes", "plain_yes"), ("yes", "content"), ("no", "content")],
)
def test_R6_only_keep_answers_keep_or_change(text: str, reply: str, expected: str) -> None:
    assert kind(reply, Question(text=text, kind="review")) == expected


@pytest.mark.parametrize("reply", ["yes", "no", "that's all"])
def test_R6_anything_else_under_another_kind_is_content(reply: str) -> None:
    assert kind(reply, Question(text="Can I get you anything else?", kind="offer")) == "content"


@pytest.mark.parametrize("reply", ["that sounds great", "yes, book it"])
def test_R4_praise_and_requests_answer_an_offer_only_where_an_action_was_asked(reply: str) -> None:
    stated = Question(text="There is a table at Luigi's.", kind="offer")
    asked = Question(text="There is a table at Luigi's. Shall I book it?", kind="offer")
    assert (kind(reply, stated), kind(reply, asked)) == ("content", "plain_yes")


@pytest.mark.parametrize("reply", ["great", "book it", "do it", "okay thanks", "never mind"])
def test_R4_praise_and_requests_answer_no_unknown_question(reply: str) -> None:
    assert {kind(reply, Question(kind="other")), kind(reply, Question())} == {"content"}


def test_R1_praise_beside_a_request_is_content() -> None:
    assert kind("great, reserve the table", OFFER) == "content"


@pytest.mark.parametrize("reply", ["nothing else", "that's all, thanks", "I'm all set", "no that will be it", "nope"])
def test_closing_words_are_the_no_of_anything_else(reply: str) -> None:
    assert kind(reply, MORE) == "plain_no"
