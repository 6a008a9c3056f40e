"""The answer of a turn: texts in order, one block at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marg_runtime.answer import Said
from marg_runtime.steps.option import option_id

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk


def test_options_are_numbered_from_one() -> None:
    assert [option_id(0), option_id(10)] == ["o1", "o11"]


def test_a_text_of_the_models_is_marked_as_its_own(desk: Desk) -> None:
    assert desk.to_title().texts == (Said(by="model", text="Hello."),)


def test_a_line_of_the_runtimes_is_marked_as_its_own(desk: Desk) -> None:
    desk.to_summary()
    assert desk.say("no").texts == (Said(by="runtime", text=desk.domain.lines.declined),)


def test_a_reply_with_no_words_gives_no_text(desk: Desk) -> None:
    desk.hear("")
    assert desk.say("hello").texts == ()


def test_the_block_names_question_and_revision_of_the_open_question(desk: Desk) -> None:
    block = desk.to_place().block
    question = desk.state.question
    assert block is not None
    assert question is not None
    assert (block.question, block.revision) == (question.id, question.revision)


def test_a_block_gives_labels_and_keeps_the_values_back(desk: Desk) -> None:
    desk.to_place()
    assert [(option.id, option.label) for option in desk.block.options] == [("o1", "Office"), ("o2", "Home")]


def test_a_question_that_was_settled_in_the_turn_is_not_shown(desk: Desk) -> None:
    desk.to_place()
    assert desk.tap("Office").block != desk.answers[-2].block


def test_the_revision_is_that_of_the_delivery(desk: Desk) -> None:
    desk.to_title()
    assert desk.last.revision == desk.ledger()[-1].revision


def test_a_declined_summary_leaves_no_block(desk: Desk) -> None:
    desk.to_summary()
    assert desk.tap("Not yet").block is None


def test_a_redraw_keeps_id_and_revision(desk: Desk) -> None:
    before = desk.to_place().block
    assert desk.reload().block == before


def test_turns_count_from_one(desk: Desk) -> None:
    desk.to_place()
    assert [answer.turn for answer in desk.answers] == [1, 2]
