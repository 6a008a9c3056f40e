"""The report on a terminal: classes, places, commands; nothing that somebody wrote is markup there."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console

from marg_reports.render.terminal import print_report
from marg_reports.report import TriagedRed, TriageReport

MakeRed = Callable[..., TriagedRed]
MakeReport = Callable[..., TriageReport]


def printed(report: TriageReport) -> str:
    file = io.StringIO()
    print_report(report, Console(file=file, width=200, force_terminal=False))
    return file.getvalue()


def test_every_class_is_counted_and_every_red_is_listed(every_class: TriageReport) -> None:
    text = printed(every_class)
    assert "brittle check     1" in text
    assert all(red.place.id in text for red in every_class.reds)


def test_an_unclassified_red_shows_the_command_that_decides(every_class: TriageReport) -> None:
    assert "decide it: marg triage run.jsonl --base REV" in printed(every_class)


def test_markup_and_escapes_are_shown_as_they_are(red: MakeRed, report: MakeReport) -> None:
    text = printed(report([red(1, text="[/b] [red]x \x1b[31m :smile:")]))
    assert "[/b] [red]x \\x1b[31m :smile:" in text
    assert "\x1b" not in text


def test_of_more_than_two_hundred_reds_the_rest_is_counted(red: MakeRed, report: MakeReport) -> None:
    assert "5 reds more stand in the files." in printed(report(red(number) for number in range(205)))
