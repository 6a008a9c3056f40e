"""The split by reply hash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_corpora import Record
from marg_corpora.split import normalised, of_split, split_of

REPLIES = [f"yes, number {number} it is" for number in range(2000)]


def record(reply: str) -> Record:
    return Record(
        id=reply, source="own", language="en", question="", question_kind="confirm", reply=reply, label="content"
    )


@pytest.mark.parametrize("held_out", [0.1, 0.4, 0.9])
def test_the_held_out_side_has_about_its_share(held_out: float) -> None:
    share = sum(split_of(reply, held_out=held_out) == "held_out" for reply in REPLIES) / len(REPLIES)
    assert share == pytest.approx(held_out, abs=0.05)


@pytest.mark.parametrize("variant", ["Yes, please!", "yes please", "  YES   please. ", "ｙｅｓ please", "yes-please"])
def test_case_spacing_punctuation_and_unicode_form_do_not_move_a_reply(variant: str) -> None:
    assert normalised(variant) == "yes please"


def test_the_split_never_changes_between_releases() -> None:
    sides = [split_of(reply) for reply in ("yes", "no", "yes please", "that is right", "go ahead", "no thanks")]
    assert sides == ["held_out", "tuning", "held_out", "held_out", "held_out", "tuning"]


@given(reply=st.text())
def test_any_text_is_on_one_side(reply: str) -> None:
    assert split_of(reply) in ("tuning", "held_out")


def test_the_two_sides_make_up_the_whole() -> None:
    records = [record(reply) for reply in REPLIES]
    sides = [*of_split(records, split="tuning"), *of_split(records, split="held_out")]
    assert sorted(one.id for one in sides) == sorted(REPLIES)


def test_without_a_side_all_records_pass() -> None:
    assert len(list(of_split(map(record, REPLIES), split=None))) == len(REPLIES)
