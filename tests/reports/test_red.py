"""A red as text: all that is needed to see what happened, and nothing of what was said is interpreted."""

from __future__ import annotations

from marg_reports import CheckRecord, Line, RunRecord, ScenarioRecord, TurnRecord, red_text

PASSED = CheckRecord(id="reading", kind="reading", owner="runtime", line=6, passed=True, expected=1, got=1)
FAILED = CheckRecord(
    id="draft",
    kind="draft",
    owner="runtime",
    line=12,
    passed=False,
    expected={"title": "a", "priority": "high"},
    got={"title": "b", "priority": None},
)


def turn(name: str, *checks: CheckRecord, lines: tuple[Line, ...] = ()) -> TurnRecord:
    return TurnRecord(id=name, line=4, checks=checks, transcript=lines, request_digests=(), events=())


def text(*turns: TurnRecord) -> str:
    scenario = ScenarioRecord(name="the name", path="a/x.scenario.yaml", line=1, turns=turns, turns_planned=3, writes=0)
    (red,) = RunRecord(version="1", scenarios=(scenario,)).reds()
    return red_text(red)


HELLO = turn("hello", PASSED, lines=(Line(by="user", text="Hi"), Line(by="model", text="Hello.")))
RED = turn(
    "report", FAILED, lines=(Line(by="user", text="It [/b] fails"), Line(by="block", text="summary: Sure?\n  a: b"))
)
LATER = turn("later", PASSED, lines=(Line(by="user", text="later"),))


def test_a_red_is_told_whole() -> None:
    assert text(HELLO, RED, LATER).split("\n") == [
        "a/x.scenario.yaml:12: the name",
        "  turn 2 (report), check draft, owner runtime",
        '  expected    {"priority":"high","title":"a"}',
        '  got         {"priority":null,"title":"b"}',
        '  difference  priority: expected "high", got null',
        '              title: expected "a", got "b"',
        "  transcript",
        "     1  user     Hi",
        "     1  model    Hello.",
        "     2  user     It [/b] fails",
        "     2  block    summary: Sure?",
        "                   a: b",
    ]


def test_a_text_that_is_another_one_is_told_once() -> None:
    failed = CheckRecord(id="a", kind="reading", owner="runtime", line=2, passed=False, expected="content", got="no")
    assert text(turn("hello", failed)).split("\n")[2:] == [
        '  expected    "content"',
        '  got         "no"',
        "  transcript",
    ]


def test_the_transcript_ends_with_the_turn_of_the_red() -> None:
    assert "later" not in text(HELLO, RED, LATER)


def test_a_value_with_line_ends_or_escapes_stays_on_its_line() -> None:
    failed = CheckRecord(
        id="text", kind="text", owner="model", line=2, passed=False, expected="a\nb", got="\x1b[31m\x00"
    )
    assert text(turn("one", failed)).split("\n")[2:4] == [
        '  expected    "a\\nb"',
        '  got         "\\u001b[31m\\u0000"',
    ]
