"""The history: since when a check is red, how often it flipped, and the table that anybody can ask more of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from marg_reports import RecordError
from marg_reports.history import History, RunOfHistory, history_of, history_page, load, write_parquet
from marg_reports.report import CheckLine, TriagedRed, TriageReport, report_lines, triage_report

MakeRed = Callable[..., TriagedRed]


@pytest.fixture
def runs(red: MakeRed) -> Sequence[RunOfHistory]:
    """Four runs: the one check is green, a regression, green again, and then pre-existing; another comes last."""

    def run(name: str, *reds: TriagedRed, also: tuple[TriagedRed, ...] = ()) -> RunOfHistory:
        red_ids = {one.place.id for one in reds}
        checks = tuple(CheckLine(place=one.place, attempts=(one.place.id not in red_ids,)) for one in (*reds, *also))
        return RunOfHistory(
            name=name, report=triage_report(version="0.1.0", head=name, base="", checks=checks, reds=reds)
        )

    first = red(1)
    return [
        run("run-4", red(1, "pre_existing"), red(2)),
        run("run-1", also=(first,)),
        run("run-2", first),
        run("run-3", also=(first,)),
    ]


@pytest.fixture
def history(runs: Sequence[RunOfHistory]) -> History:
    return history_of(runs)


def test_runs_are_in_the_order_of_their_names(history: History) -> None:
    assert history.runs == ("run-1", "run-2", "run-3", "run-4")


def test_a_check_knows_its_states_its_first_red_its_last_green_and_its_flips(history: History) -> None:
    check = history.checks[0]
    assert check.states == ("green", "regression", "green", "pre_existing")
    assert (check.first_red, check.last_green, check.flips) == ("run-2", "run-3", 3)


def test_a_check_that_is_new_is_absent_before_and_was_never_green(history: History) -> None:
    check = history.checks[1]
    assert check.states == ("", "", "", "regression")
    assert (check.last_green, check.flips) == (None, 0)


def test_the_trend_of_a_scenario_counts_its_classes_run_by_run(history: History) -> None:
    assert history.trend(history.checks[0].scenario) == ({}, {"regression": 1}, {}, {"pre_existing": 1})


def test_the_table_comes_back_from_parquet(runs: Sequence[RunOfHistory], tmp_path: Path) -> None:
    write_parquet(runs, tmp_path / "history.parquet")
    table = load(tmp_path / "history.parquet")
    assert list(table["state"]) == ["green", "regression", "green", "pre_existing", "regression"]


def test_a_folder_of_reports_is_loaded_as_the_same_table(runs: Sequence[RunOfHistory], tmp_path: Path) -> None:
    for run in runs:
        (tmp_path / f"{run.name}.jsonl").write_text("\n".join(report_lines(run.report)))
    write_parquet(runs, tmp_path / "history.parquet")
    assert load(tmp_path).to_dict("list") == load(tmp_path / "history.parquet").to_dict("list")


def test_an_empty_folder_is_refused_and_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="marg triage RUN --jsonl"):
        load(tmp_path)


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


def test_the_page_draws_a_strip_for_every_check_and_no_script(history: History) -> None:
    tags = Tags(history_page(history)).tags
    assert tags.count("svg") == 1 + len(history.checks)
    assert "script" not in tags


def test_hostile_names_add_no_element_to_the_page(red: MakeRed, report: Callable[..., TriageReport]) -> None:
    plain, hostile = (
        Tags(history_page(history_of([RunOfHistory(name=text, report=report([red(1, text=text)]))]))).tags
        for text in ("x", '"><script>alert(1)</script>')
    )
    assert hostile == plain
