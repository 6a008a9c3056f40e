"""The record of a run, and a triage report, without secrets: in every text, and wherever they stand unnamed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from marg_reports import CheckRecord, Line, RunRecord, ScenarioRecord, TurnRecord, lines_of, scrubbed_run
from marg_reports.report import TriagedRed, TriageReport, report_lines, scrubbed

MakeReport = Callable[..., TriageReport]

KEY = "sk-" + "a1B2c3D4e5F6g7H8"


def run_of(text: str) -> RunRecord:
    """A run with a text in every place that is not Marg's own word."""
    check = CheckRecord(
        id=f"c {text}", kind="draft", owner="model", line=3, passed=False, expected={text: text}, got=[text]
    )
    turn = TurnRecord(
        id=f"t {text}",
        line=2,
        checks=(check,),
        transcript=(Line(by="user", text=text),),
        request_digests=("d",),
        events=({"kind": "UserSaid", "text": text},),
        wire=({"what": text},),
        replies=({"deltas": [{"text": text}]},),
    )
    scenario = ScenarioRecord(
        name=f"s {text}", path="a.yaml", line=1, turns=(turn,), turns_planned=1, writes=0, row=text, tags=(text,)
    )
    return RunRecord(version="1", scenarios=(scenario,), settings={"base_url": text})


def test_a_record_is_scrubbed_wherever_a_text_stands() -> None:
    assert KEY not in "".join(lines_of(scrubbed_run(run_of(f"used {KEY} twice"))))


def test_what_a_scenario_gives_away_is_removed_where_nothing_says_what_it_is() -> None:
    run = run_of("it was open5sesame")
    (scenario,) = run.scenarios
    (turn,) = scenario.turns
    said = replace(turn, transcript=(Line(by="user", text="password: open5sesame"),))
    clean = scrubbed_run(replace(run, settings={}, scenarios=(replace(scenario, turns=(said,)),)))
    assert "open5sesame" not in "".join(lines_of(clean))


def test_a_record_without_secrets_is_the_same(shipped_run: RunRecord) -> None:
    assert scrubbed_run(shipped_run, secrets={"corp-horse-battery"}) == shipped_run


def test_a_report_is_scrubbed_wherever_a_text_stands(red: Callable[..., TriagedRed], report: MakeReport) -> None:
    leaky = red(1, text=f"used {KEY} twice")
    one = scrubbed(report([replace(leaky, verdict=replace(leaky.verdict, note=f"{KEY} was edited"))]))
    assert KEY not in "".join(report_lines(one))
    assert one.reds[0].place == one.checks[0].place
