"""Hostile content in every place of a report, through every output: shown as it is, breaking none, with no secret."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from marg_reports.history import RunOfHistory, history_of, history_page, load, write_parquet
from marg_reports.page import html_page
from marg_reports.render import (
    allure_results,
    code_quality_json,
    ctrf_json,
    github_annotations,
    junit_xml,
    summary_markdown,
    visible,
)
from marg_reports.render.terminal import print_report
from marg_reports.report import TriagedRed, TriageReport, read_report, report_lines, scrubbed
from marg_reports.report.triaged import Label

MakeRed = Callable[..., TriagedRed]
MakeReport = Callable[..., TriageReport]

SECRET = "hunter2" + "secretvalue"
HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "\x1b[31mred\x1b[0m \x9b31m \x1b]0;title\x07",
    "a\x00b\x08\x7f",
    "[/b] [bold]x[/] [link=https://example.test]",
    "]]> & <![CDATA[ <!-- --> ]]>",
    "::error::x\n::warning::y\r::notice::z\n##[error]w",
    "```\n# heading\n| a | b |\n<details>",
    "\u202eevil\u200b\ufeff",
    "\ud800 half \udfff",
    "%0A::error::%0D",
    "\"quoted' ` `` \\",
    "\u2028lines\u2029\x85\x0b\x0c",
    f"Authorization: Bearer {SECRET}\nx-api-key: {SECRET}\nCookie: a={SECRET}; b={SECRET}",
    f'{{"headers": [["x-api-key", "{SECRET}"]], "url": "https://example.test/v1?key={SECRET}&x=1"}}',
    f"https://user:{SECRET}@example.test/ password='{SECRET}'",
]
# Everything that a terminal, an editor or an XML reader would take for more than a letter.
_RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ufeff\ufffe\uffff\ud800-\udfff]")


def hostile_red(red: TriagedRed, text: str) -> TriagedRed:
    """The red with the text in every place that is not our own word."""
    place = replace(red.place, path=f"{text}.yaml", turn=f"t {text}", check=f"c {text}", file=f"f {text}")
    return replace(
        red,
        place=place,
        kind=f"custom.{text}",
        verdict=replace(red.verdict, command=f"marg {text}", nearest=f"would be {text}"),
        squares=tuple(replace(one, says=f"same {text}", command=f"marg {text}") for one in red.squares),
        label=Label(red_class=red.red_class, because=text, author=text, cells="0", expires="2026-12-01"),
    )


def outputs(report: TriageReport) -> Iterator[tuple[str, str]]:
    """Every rendering that is text, by name, as it would be written."""
    yield "jsonl", "".join(f"{line}\n" for line in report_lines(report))
    yield "html", html_page(report)
    yield "junit", junit_xml(report)
    yield "ctrf", ctrf_json(report)
    yield "summary", summary_markdown(report)
    yield "annotations", github_annotations(report)
    yield "code_quality", code_quality_json(report)
    yield "history", history_page(history_of([RunOfHistory(name=report.reds[0].place.path, report=report)]))
    for file in allure_results(report):
        yield "allure", file.text
    console = Console(file=StringIO(), width=120, markup=False, highlight=False, emoji=False)
    print_report(report, console)
    assert isinstance(console.file, StringIO)
    yield "terminal", console.file.getvalue()


def holds(name: str, text: str) -> None:
    """What must be so of an output, whatever was in the report."""
    text.encode("utf-8")
    assert not _RAW.search(text), (name, _RAW.search(text))
    if name == "jsonl":
        assert all(json.loads(line)["record"] for line in text.split("\n")[:-1])
    elif name == "html":
        assert text.count("<script") == text.count("</script>") == 2
    elif name == "junit":
        assert len(fromstring(text).findall("testsuite/testcase/failure")) == 1
    elif name == "annotations":
        assert len(text.splitlines()) == 1
        assert text.startswith("::error ")
    elif name in ("ctrf", "code_quality", "allure"):
        json.loads(text)
    elif name == "history":
        assert "<script" not in text
        assert "<img" not in text
    elif name == "summary":
        assert not re.search(r"(?<!\\)<\w", re.sub(r"(`+).*?\1", "", text))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_breaks_no_output_and_leaves_no_secret_in_any(
    text: str, red: MakeRed, report: MakeReport, tmp_path: Path
) -> None:
    one = scrubbed(report([hostile_red(red(1, text=text), text)]))
    for name, output in outputs(one):
        holds(name, output)
        assert SECRET not in output, name
    write_parquet([RunOfHistory(name="run", report=one)], tmp_path / "t.parquet")
    assert SECRET not in load(tmp_path / "t.parquet").to_csv()


@settings(max_examples=25, deadline=None)
@given(text=st.text(st.characters(), max_size=80) | st.lists(st.sampled_from(HOSTILE), max_size=3).map("".join))
def test_any_text_at_all_breaks_no_output(text: str, red: MakeRed, report: MakeReport) -> None:
    for name, output in outputs(scrubbed(report([hostile_red(red(1, text=text), text)]))):
        holds(name, output)


@pytest.mark.parametrize("text", [one for one in HOSTILE if SECRET not in one])
def test_hostile_text_is_shown_as_what_it_is(text: str, red: MakeRed, report: MakeReport) -> None:
    one = report([red(1, text=text)])
    shown = fromstring(junit_xml(one)).find("testsuite/testcase/failure")
    assert shown is not None
    assert visible(text).split("\n")[0] in (shown.text or "")
    trace = json.loads(ctrf_json(one))["results"]["tests"][0]["trace"]
    assert visible(text) in trace


def test_a_megabyte_of_text_is_cut_in_every_output_that_has_a_limit(red: MakeRed, report: MakeReport) -> None:
    one = scrubbed(report([red(1, text="x <b> \x1b" * 120_000)]))
    sizes = {name: len(output) for name, output in outputs(one)}
    record = sizes.pop("jsonl")
    assert record > 1_000_000
    assert {name for name, size in sizes.items() if size > 5_000_000} == set()


def test_a_report_with_half_a_surrogate_is_written_and_read_again(
    red: MakeRed, report: MakeReport, tmp_path: Path
) -> None:
    one = report([red(1, text="\ud800 half")])
    file = tmp_path / "t.jsonl"
    file.write_text("".join(f"{line}\n" for line in report_lines(one)), encoding="utf-8")
    assert read_report(file).reds[0].transcript[0].lines[0].text == "\\ud800 half"
