"""The casebook: single replies behind a score, bounded, and judged by people."""

from __future__ import annotations

from marg_corpora import Label, Plan, Record, Verdict
from marg_corpora.cases import Casebook
from marg_corpora.cells import Judged, RowKey
from marg_corpora.judgement import Judgement
from marg_corpora.tally import Side
from marg_runtime.reading.kinds import ReadingKind

ROW = RowKey("whole_message", "own", "")


def judged(name: str, label: Label, reading: ReadingKind) -> Judged:
    record = Record(id=name, source="own", language="en", question="", question_kind="confirm", reply=name, label=label)
    return Judged(row=ROW, record=record, verdict=Verdict(kind=reading))


READINGS = [
    judged("a", "content", "plain_yes"),
    judged("b", "plain_yes", "content"),
    judged("c", "content", "plain_no"),
    judged("d", "polar_no", "plain_yes"),
    judged("e", "content", "content"),
]


def kept(*sides: Side, most: int = 50) -> Casebook:
    book = Casebook(plan=Plan(sides=frozenset(sides), kept=most))
    assert list(book.watch(READINGS)) == READINGS
    return book


def test_only_the_wanted_sides_are_kept() -> None:
    assert [case.record.id for case in kept("misread").cases] == ["a", "c"]


def test_a_polar_flip_is_a_case() -> None:
    assert [(case.record.id, case.side) for case in kept("flip").cases] == [("d", "flip")]


def test_no_more_are_kept_than_wanted_and_the_rest_is_counted() -> None:
    book = kept("misread", most=1)
    assert ([case.record.id for case in book.cases], book.left_out()) == (["a"], 1)


def test_with_no_side_wanted_nothing_is_kept_or_left_out() -> None:
    assert (kept().cases, kept().left_out()) == ([], 0)


def test_misreads_and_flips_are_counted_by_judgement() -> None:
    judgements: dict[str, Judgement] = {"a": "annotation", "d": "arguable", "b": "reader_error"}
    book = Casebook(plan=Plan(judgements=judgements))
    assert len(list(book.watch(READINGS))) == len(READINGS)
    assert book.judged == {(ROW, "annotation"): 1, (ROW, "arguable"): 1, (ROW, None): 1}


def test_a_case_carries_its_judgement() -> None:
    book = Casebook(plan=Plan(sides=frozenset({"misread"}), judgements={"c": "arguable"}))
    assert len(list(book.watch(READINGS))) == len(READINGS)
    assert [case.judgement for case in book.cases] == [None, "arguable"]


def test_books_of_two_parts_join_to_the_book_of_the_whole() -> None:
    plan = Plan(sides=frozenset({"misread", "flip"}), kept=1)
    parts = [Casebook(plan=plan), Casebook(plan=plan), Casebook(plan=plan)]
    assert [len(list(book.watch(READINGS[:3]))) for book in parts[:2]] == [3, 3]
    assert len(list(parts[2].watch(READINGS[3:]))) == 2
    whole = Casebook(plan=plan)
    assert len(list(whole.watch([*READINGS[:3], *READINGS[:3], *READINGS[3:]]))) == 8
    assert parts[0] + parts[1] + parts[2] == whole
    assert (parts[0] + parts[1] + parts[2]).left_out() == 3
