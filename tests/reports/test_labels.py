"""Labels: a person's word stands for the evidence it was given for, until its last day."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from marg_reports import RecordError
from marg_reports.report import Square, TriagedRed, TriageReport
from marg_reports.report.labels import GivenLabel, add_label, give_label, read_labels, with_labels

MakeRed = Callable[..., TriagedRed]
MakeReport = Callable[..., TriageReport]
TODAY = date(2026, 11, 30)


def given(red: TriagedRed, *, red_class: str = "brittle_check", because: str = "its wording moved") -> GivenLabel:
    return give_label(red, red_class=red_class, because=because, author="ada", expires=TODAY)


def test_a_label_gives_the_red_its_class(red: MakeRed, report: MakeReport) -> None:
    one = red(1)
    assert with_labels(report([one]), [given(one)], today=TODAY).reds[0].red_class == "brittle_check"


def test_a_label_never_hides_what_the_classifier_said(red: MakeRed, report: MakeReport) -> None:
    one = red(1)
    assert with_labels(report([one]), [given(one)], today=TODAY).reds[0].verdict == one.verdict


def test_a_label_is_void_once_a_cell_says_something_else(red: MakeRed, report: MakeReport) -> None:
    one = red(1)
    moved = replace(one, squares=(Square(cell="clean_wire", says="pass"),))
    assert with_labels(report([moved]), [given(one)], today=TODAY).reds[0].red_class == "regression"


def test_a_label_is_void_after_its_last_day(red: MakeRed, report: MakeReport) -> None:
    one = red(1)
    after = date(2026, 12, 1)
    assert with_labels(report([one]), [given(one)], today=after).reds[0].red_class == "regression"


@pytest.mark.parametrize("red_class", ["flaky", "unclassified"])
def test_a_label_of_no_class_is_refused_with_those_there_are(red_class: str, red: MakeRed) -> None:
    with pytest.raises(RecordError, match="there are regression, pre_existing"):
        given(red(1), red_class=red_class)


def test_a_label_without_a_reason_is_refused(red: MakeRed) -> None:
    with pytest.raises(RecordError, match="needs a reason"):
        given(red(1), because=" ")


def test_labels_come_back_from_their_file(red: MakeRed, tmp_path: Path) -> None:
    file = tmp_path / "marg" / "labels.jsonl"
    first, second = given(red(1)), given(red(2), because="its wording changed")
    add_label(file, first)
    add_label(file, second)
    assert read_labels(file) == (first, second)


def test_a_damaged_labels_file_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text("{}\n")
    with pytest.raises(RecordError, match=r"labels\.jsonl:1: no label"):
        read_labels(file)
