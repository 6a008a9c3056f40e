"""What people, models and tools wrote into a report is shown by the commands as what it is, and no secret with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from marg_harness.cli.command_line import marg
from marg_reports import Line
from marg_reports.report import (
    CheckLine,
    Place,
    Square,
    TranscriptTurn,
    TriagedRed,
    report_lines,
    scrubbed,
    triage_report,
)
from marg_reports.triage import Verdict

SECRET = "hunter2" + "secretvalue"
TEXT = (
    "\x1b[31mred\x1b]0;title\x07 \x9b2J a\x00b [/b][bold]x <script>alert(1)</script> \u202e \u2028 \ud800 "
    f"x-api-key: {SECRET} https://example.test/?key={SECRET}&z=1"
)
RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one report, whose one red has the text in every place; its check is called `here`."""
    folder = tmp_path_factory.mktemp("reports")
    place = Place(path=f"{TEXT}.yaml", scenario=TEXT, turn=TEXT, check="here", line=3, file=f"{TEXT}.yaml")
    red = TriagedRed(
        place=place,
        kind="draft",
        owner="runtime",
        expected=TEXT,
        got=TEXT,
        differences=(TEXT,),
        transcript=(TranscriptTurn(number=1, lines=(Line(by="user", text=TEXT),)),),
        verdict=Verdict(
            red_class="unclassified", sub="no_base", confidence="none", rule="R8", command=TEXT, nearest=TEXT
        ),
        squares=(Square(cell="clean_wire", says=f"same {TEXT}", commit="abc", command=TEXT),),
    )
    checks = (CheckLine(place=place, attempts=(False,)),)
    report = scrubbed(triage_report(version="0.1.0", head="a", base="b", checks=checks, reds=(red,)))
    (folder / "run.jsonl").write_text("".join(f"{line}\n" for line in report_lines(report)), encoding="utf-8")
    return folder


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_explain_and_history_show_hostile_text_as_what_it_is(folder: Path, more: tuple[str, ...]) -> None:
    report = str(folder / "run.jsonl")
    for arguments in (("explain", "here", "--report", report), ("history", str(folder))):
        done = CliRunner().invoke(marg, [*arguments, *more], catch_exceptions=False)
        assert done.exit_code == 0
        assert not RAW.search(done.output), (arguments, RAW.search(done.output))
        assert SECRET not in done.output
        assert "[/b][bold]x" in done.output
