"""The lines of a transcript."""

from __future__ import annotations

import pytest

from marg_harness.transcript import answer_lines, user_line
from marg_reports import Line
from marg_runtime.answer import Answer, Said
from marg_runtime.block import Block, BlockField, BlockOption, Page, Row
from marg_scenarios import ReloadTurn, SayTurn, SubmitTurn, TapTurn, Turn
from marg_scenarios.turn import ScriptedAct, SearchTurn


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (SayTurn(text="It [b]fails[/b] \x1b[31m"), "It [b]fails[/b] \x1b[31m"),
        (TapTurn(option="High"), "[taps High]"),
        (TapTurn(option="High", of="report"), "[taps High on the block of report]"),
        (SubmitTurn(values={"title": "T", "details": "D"}), "[submits title=T, details=D]"),
        (ReloadTurn(), "[reloads]"),
        (SubmitTurn(choose=("Beamer", "Board")), "[submits Beamer, Board]"),
        (SubmitTurn(), "[submits nothing]"),
        (SearchTurn(query="ada"), "[searches 'ada', first page]"),
        (SearchTurn(page="next"), "[searches, next page]"),
    ],
)
def test_the_users_line_is_the_act_as_it_was_made(act: ScriptedAct, text: str) -> None:
    turn = Turn(id="t", act=act, seen="latest", checks=(), line=1)
    assert user_line(turn) == Line(by="user", text=text)


def answer(*texts: Said, block: Block | None = None) -> Answer:
    return Answer(turn=1, revision=1, texts=texts, block=block)


def test_texts_come_in_order_with_whose_they_are() -> None:
    lines = answer_lines(answer(Said(by="model", text="a"), Said(by="runtime", text="b")))
    assert lines == (Line(by="model", text="a"), Line(by="runtime", text="b"))


def test_a_block_is_one_line_of_its_kind_question_and_options() -> None:
    options = (BlockOption(id="o1", label="Low"), BlockOption(id="o2", label="High"))
    block = Block(kind="chips", step="p", question="q", revision=1, label="P", lead="How urgent?", options=options)
    assert answer_lines(answer(block=block)) == (Line(by="block", text="chips: How urgent? (Low) (High)"),)


def test_a_summary_shows_its_rows_below() -> None:
    rows = (Row(slot="title", label="Title", value="T"), Row(slot="priority", label="Priority", value="High"))
    block = Block(kind="summary", step="confirm", question="q", revision=1, label="Ticket", lead="Sure?", rows=rows)
    assert answer_lines(answer(block=block))[0].text == "summary: Sure?\n  Title: T\n  Priority: High"


def test_a_block_that_asks_nothing_shows_its_label() -> None:
    block = Block(kind="receipt", step="receipt", question="", revision=1, label="ticket T-1", lead="")
    assert answer_lines(answer(block=block))[0].text == "receipt: ticket T-1"


def test_an_empty_answer_has_no_lines() -> None:
    assert answer_lines(answer()) == ()


def test_a_form_shows_what_stands_in_its_fields_and_what_is_wrong_with_it() -> None:
    fields = (
        BlockField(slot="a", label="Nights", type="integer", required=True, value="0", error="Too few."),
        BlockField(slot="b", label="Note", type="text", required=False),
    )
    block = Block(kind="form", step="f", question="q", revision=1, label="F", lead="How long?", fields=fields)
    assert answer_lines(answer(block=block))[0].text == "form: How long?\n  Nights: 0 (Too few.)\n  Note: "


def test_a_picker_shows_where_it_stands() -> None:
    page = Page(query="ada", number=2, previous=True, next=False)
    block = Block(kind="picker", step="r", question="q", revision=1, label="R", lead="Which?", page=page)
    assert answer_lines(answer(block=block))[0].text == "picker: Which?\n  page 2 of 'ada'"
