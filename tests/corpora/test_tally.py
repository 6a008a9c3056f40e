"""The arithmetic of tallies: what counts as misread, missed and flip, and that counting may be done in parts."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_corpora import Count, Label, Record, Tally, Verdict
from marg_corpora.cells import Cell, Cells, Judged, RowKey, count_cells
from marg_corpora.tally import tally_of, tally_rows
from marg_runtime.reading.kinds import ReadingKind

ROW = RowKey("whole_message", "own", "")
ONE = Count(unique=1, weighted=4)


def judged_reply(reader: str, label: Label, kind: ReadingKind, n: int, known: bool) -> Judged:
    record = Record(
        id="own-1",
        source="own",
        language="en" if known else "sv",
        question="",
        question_kind="confirm",
        reply="yes",
        label=label,
        n=n,
    )
    verdict = Verdict(kind=kind, has_vocabulary=known)
    return Judged(row=RowKey(reader, "own", ""), record=record, verdict=verdict)


judged_replies = st.builds(
    judged_reply,
    st.sampled_from(["a", "b"]),
    st.sampled_from(get_args(Label)),
    st.sampled_from(get_args(ReadingKind)),
    st.integers(1, 600),
    st.booleans(),
)
replies = st.lists(judged_replies, max_size=12)


def tally(label: Label, reading: ReadingKind) -> Tally:
    return tally_of(Cell(ROW, label, reading, ""), ONE)


@pytest.mark.parametrize("reading", ["plain_yes", "plain_no"])
def test_content_read_as_plain_is_a_misread(reading: ReadingKind) -> None:
    assert tally("content", reading).misread == ONE


@pytest.mark.parametrize("reading", ["content", "choice"])
def test_content_read_as_content_or_as_a_choice_is_no_misread(reading: ReadingKind) -> None:
    assert tally("content", reading).misread == Count()


@pytest.mark.parametrize("reading", ["content", "choice"])
def test_a_plain_yes_read_as_neither_yes_nor_no_is_missed(reading: ReadingKind) -> None:
    assert tally("plain_yes", reading).missed_yes == ONE


@pytest.mark.parametrize("reading", ["content", "choice"])
def test_a_plain_no_read_as_neither_yes_nor_no_is_missed(reading: ReadingKind) -> None:
    assert tally("plain_no", reading).missed_no == ONE


@pytest.mark.parametrize(
    ("label", "reading"),
    [("plain_yes", "plain_no"), ("polar_yes", "plain_no"), ("plain_no", "plain_yes"), ("polar_no", "plain_yes")],
)
def test_a_yes_read_as_no_or_a_no_as_yes_is_a_flip_and_not_missed(label: Label, reading: ReadingKind) -> None:
    flipped = tally(label, reading)
    assert flipped.flips == ONE
    assert flipped.missed_yes == flipped.missed_no == Count()


@pytest.mark.parametrize("label", ["polar_yes", "polar_no"])
def test_a_polar_label_counts_for_flips_only(label: Label) -> None:
    assert tally(label, "content") == Tally(replies=ONE, yes_or_no=ONE)


def test_a_right_reading_is_on_neither_side() -> None:
    assert tally("plain_yes", "plain_yes") == Tally(replies=ONE, plain_yes=ONE, yes_or_no=ONE)


def test_a_reply_in_an_unknown_language_is_counted_as_such() -> None:
    assert tally_of(Cell(ROW, "content", "content", "sv"), ONE).no_vocabulary == ONE


@given(judged=replies)
def test_weighted_counts_are_never_below_the_unique_ones(judged: list[Judged]) -> None:
    assert all(count.weighted >= count.unique for count in count_cells(judged).counts.values())


@given(judged=replies)
def test_the_parts_of_a_tally_never_exceed_their_whole(judged: list[Judged]) -> None:
    for row in tally_rows(count_cells(judged)).values():
        assert row.misread.unique <= row.content.unique
        assert row.missed_yes.unique + row.missed_no.unique + row.flips.unique <= row.yes_or_no.unique
        assert row.content.unique + row.yes_or_no.unique == row.replies.unique


@given(first=replies, second=replies, third=replies)
def test_merging_counts_is_associative(first: list[Judged], second: list[Judged], third: list[Judged]) -> None:
    a, b, c = (count_cells(part) for part in (first, second, third))
    assert (a + b) + c == a + (b + c)


@given(first=replies, second=replies)
def test_counting_in_parts_and_merging_equals_counting_at_once(first: list[Judged], second: list[Judged]) -> None:
    assert count_cells(first) + count_cells(second) == count_cells(first + second)


@given(judged=replies)
def test_the_order_of_replies_does_not_matter(judged: list[Judged]) -> None:
    assert count_cells(judged) == count_cells(sorted(judged, key=lambda one: (one.record.n, one.record.label)))


@given(judged=replies)
def test_nothing_merged_changes_nothing(judged: list[Judged]) -> None:
    counted = count_cells(judged)
    assert counted + Cells() == Cells() + counted == counted


@given(first=replies, second=replies)
def test_adding_tallies_equals_tallying_the_merged_counts(first: list[Judged], second: list[Judged]) -> None:
    a, b = tally_rows(count_cells(first)), tally_rows(count_cells(second))
    merged = tally_rows(count_cells(first) + count_cells(second))
    assert merged == {key: a.get(key, Tally()) + b.get(key, Tally()) for key in {**a, **b}}
