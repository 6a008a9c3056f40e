"""`marg replay --update`: what reds saw becomes what they expect, in the text as it is written, or nothing does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.replay import load_all, replay
from marg_harness.update import plan_of
from marg_harness.update.edit import Written, edited
from marg_harness.update.rerecording import rerecorded
from marg_harness.update.spans import spans_of
from marg_mock_model import parse_document
from marg_mock_model.plain import resolve

WriteScenario = Callable[..., Path]


def update(*arguments: str, say: str | None = None) -> Result:
    return CliRunner().invoke(marg, ["replay", "--update", *arguments], input=say, catch_exceptions=False)


# Edits of a text

EDITS = {
    "a scalar in braces": ("a: {b: c, d: e} # f\n", {"a": {"b": "x", "d": "e"}}, "a: {b: x, d: e} # f\n"),
    "a scalar on its line": (
        "# y\na:\n  b: c  # why\n  d: e\n",
        {"a": {"b": 5, "d": "e"}},
        "# y\na:\n  b: 5  # why\n  d: e\n",
    ),
    "quoted where it must be": ("a: 'it''s'\nb: c\n", {"a": "5", "b": "c"}, 'a: "5"\nb: c\n'),
    "an item of a list": ("a:\n  - b # one\n  - c\n", {"a": ["b", "x"]}, "a:\n  - b # one\n  - x\n"),
    "a longer list": ("a:\n  - b\n  - c\nd: e\n", {"a": ["b"], "d": "e"}, "a:\n  - b\nd: e\n"),
    "a list with no line left": ("a:\n- b\n- c\nd: e\n", {"a": [], "d": "e"}, "a:\n  []\nd: e\n"),
    "a list in brackets": ("a: [b, c]   # d\n", {"a": ["b", "c", "x y"]}, "a: [b, c, x y]   # d\n"),
    "another set of keys": ("a:\n  b: c\n  d: e\nf: g\n", {"a": {"x": [1]}, "f": "g"}, "a:\n  x: [1]\nf: g\n"),
    "a block scalar": ("a: |\n  one\n  two\n\nb: c\n", {"a": "x", "b": "c"}, "a: x\n\nb: c\n"),
    "nothing behind the colon": ("a: {b: , c: d}\n", {"a": {"b": "x", "c": "d"}}, "a: {b: x, c: d}\n"),
    "behind other scripts": ("ü: 日本 # 你好\nb: c\n", {"ü": "日本", "b": "é"}, 'ü: 日本 # 你好\nb: "é"\n'),
    "with other line ends": ("a: b\r\nc: d\r\n", {"a": "b", "c": "x"}, "a: b\r\nc: x\r\n"),
}


@pytest.mark.parametrize("what", EDITS)
def test_only_the_value_that_changes_is_written_anew(what: str) -> None:
    text, new, after = EDITS[what]
    found = edited(
        text, list(Written(text=text, spans=spans_of(text)).edits((), parse_document(text, path="x").root, new))
    )
    assert found == after
    assert resolve(parse_document(found, path="x").root) == new


# What each kind of check would expect

BLOCK = {"step": "priority", "options": ["Low", "High"], "rows": {"title": "x", "gone": None}}
CALL = {"tool": "desk/search", "by": "model", "arguments": {"query": "x"}}
DECISION = {"trigger": "go_ahead", "skill": "allowed", "schema": "refused", "guard": "allowed", "because": "no (flag)"}
RERECORDED: dict[str, tuple[str, Any, Any, Any]] = {
    "a reading": ("reading", "content", "plain_yes", "plain_yes"),
    "a reading of nothing": ("reading", "content", None, None),
    "the block's step": ("block", "title", {"step": "priority"}, "priority"),
    "no block": ("block", {"step": "title"}, "none", "none"),
    "the named parts of a block": (
        "block",
        {"step": "title", "options": {"has": ["x"]}, "rows": {"title": "y", "gone": "z"}},
        BLOCK,
        {"step": "priority", "options": ["Low", "High"], "rows": {"title": "x"}},
    ),
    "the steps of cuts": ("cut", [], [{"priority": "How urgent?"}], ["priority"]),
    "calls by name": ("tools_called", ["other"], [CALL], ["search"]),
    "calls with arguments": ("tools_only", [{"other": {}}], [CALL], [{"search": {"query": "x"}}]),
    "calls where there were none": ("tools_called", ["other"], [], None),
    "tools that were called after all": ("tools_not_called", ["search", "other"], [CALL], ["other"]),
    "the only tool that was called after all": ("tools_not_called", ["search"], [CALL], None),
    "a gate's layers": ("gate", {"schema": "allowed"}, [DECISION], {"schema": "refused"}),
    "a gate's reason": ("gate", {"because": "flag$"}, [DECISION], {"because": r"no\ \(flag\)"}),
    "a gate that nobody asked": ("gate", [{"guard": "allowed"}], [], "none"),
    "a gate where none was expected": ("gate", "none", [DECISION], [{k: DECISION[k] for k in list(DECISION)[:4]}]),
    "a write's counts": (
        "write",
        {"attempted": 0, "arguments": {"n": 1}},
        {"attempted": 1, "performed": 0, "rehearsed": 0, "arguments": [{"n": 2, "m": 3}]},
        {"attempted": 1, "arguments": {"n": 2}},
    ),
    "texts": ("text", {"contains": ["a"], "lacks": ["b", "c"]}, ["a b"], {"contains": ["a"], "lacks": ["c"]}),
    "other texts": ("text", {"contains": ["x"]}, ["a b"], {"contains": ["a b"]}),
    "a pattern that matches no more": ("line", {"matches": "x"}, ["a"], {"contains": ["a"]}),
    "silence": ("text", {"contains": ["x"]}, [], "none"),
    "words where there were none": ("text", "none", ["a"], {"contains": ["a"]}),
    "events": ("events", {"has": ["A", "B"], "lacks": ["C"]}, ["A", "C"], {"has": ["A"]}),
    "events in order": ("events", {"sequence": ["A", "B"]}, ["B", "C", "A"], {"sequence": ["B", "A"]}),
    "what was received": (
        "received",
        {"facts": [], "contains": ["x"]},
        {"facts": ["a"], "texts": []},
        {"facts": ["a"], "contains": ["x"]},
    ),
    "a draft that changed": ("draft_unchanged", "true", {"before": {}, "after": {"a": 1}}, False),
    "a check of the kit's own": ("custom", {"x": 1}, 2, None),
}  # fmt: skip


@pytest.mark.parametrize("what", RERECORDED)
def test_what_was_seen_is_written_as_the_check_is_written(what: str) -> None:
    kind, written, got, expected = RERECORDED[what]
    assert rerecorded(kind, written, got) == expected


# The command

TEXT_RED = "  - say: hello\n    expect:\n      text: {contains: [Bye.]}   # was Bye\n      model_calls: 1\n"
RUNTIME_RED = "  - say: hello\n    expect:\n      model_calls: 2  # two\n      draft: {priority: high}\n"


def test_the_words_of_the_model_are_written_as_they_were_seen_and_nothing_else_changes(small: WriteScenario) -> None:
    path = small(turns=TEXT_RED)
    before = path.read_text(encoding="utf-8")
    assert update("--yes").exit_code == 0
    assert path.read_text(encoding="utf-8") == before.replace("[Bye.]", "[Hi.]")


def test_the_difference_is_shown_with_file_and_line_before_anything_is_asked(small: WriteScenario) -> None:
    path = small(turns=TEXT_RED)
    before = path.read_bytes()
    found = update(say="n\n")
    assert (found.exit_code, path.read_bytes()) == (1, before)
    for line in (
        "a_small_one.scenario.yaml:7: text, owner model",
        "-      text: {contains: [Bye.]}   # was Bye",
        "+      text: {contains: [Hi.]}   # was Bye",
        "Write this? [y/N]: n",
    ):
        assert line in found.stdout.splitlines()


def test_a_check_that_the_runtime_owns_is_left_as_it_is(small: WriteScenario) -> None:
    path = small(turns=RUNTIME_RED)
    before = path.read_bytes()
    found = update("--yes")
    assert (found.exit_code, path.read_bytes()) == (1, before)
    assert "left a_small_one.scenario.yaml:7: model_calls: the runtime owns it" in found.stdout


def test_a_check_that_the_runtime_owns_is_written_when_forced(small: WriteScenario) -> None:
    path = small(turns=RUNTIME_RED)
    assert update("--yes", "--force").exit_code == 0
    after = path.read_text(encoding="utf-8")
    assert "      model_calls: 1  # two\n      draft: {priority: null}\n" in after
    assert replay(load_all([path])).reds() == ()


def test_what_no_check_was_written_for_is_left(small: WriteScenario) -> None:
    small(turns="  - say: what\n")
    assert "undeclared: no check was written for it" in update("--yes", "--force").stdout


FIXTURES = "fixtures:\n  greeted:\n    turns:\n      - say: hello\n        expect:\n          model_calls: 2\n"
USES = "  - use: greeted\n"


def test_a_fixture_that_all_agree_on_is_written(small: WriteScenario, tmp_path: Path) -> None:
    (tmp_path / "x.fixtures.yaml").write_text(FIXTURES, encoding="utf-8")
    for name in ("one", "two"):
        small(name, turns=USES, more="include: [x.fixtures.yaml]\n")
    assert update("--yes", "--force").exit_code == 0
    assert (tmp_path / "x.fixtures.yaml").read_text(encoding="utf-8") == FIXTURES.replace("calls: 2", "calls: 1")


def test_a_fixture_that_another_scenario_is_green_with_is_left_though_that_was_not_chosen(
    small: WriteScenario, tmp_path: Path
) -> None:
    (tmp_path / "x.fixtures.yaml").write_text(FIXTURES.replace("model_calls: 2", "block: title"), encoding="utf-8")
    small("green", turns=USES, more="include: [x.fixtures.yaml]\n")
    turns = "  - {id: first, say: again}\n" + USES
    small("red", turns=turns, more="include: [x.fixtures.yaml]\n")
    found = update("--yes", "--force", "-k", "red")
    assert found.exit_code == 1
    assert "2 scenarios or rows share it, and they do not agree" in found.stdout


def test_rows_that_do_not_agree_are_left(small: WriteScenario) -> None:
    rows = "rows:\n  one: {word: hello}\n  two: {word: again}\n"
    small(turns="  - say: '{word}'\n    expect: {text: {contains: [Hi.]}}\n", more=rows)
    assert "share it, and they do not agree" in update("--yes").stdout


def test_a_value_from_a_parameter_is_left(small: WriteScenario) -> None:
    rows = "rows:\n  one: {seen: Bye.}\n"
    small(turns="  - say: hello\n    expect: {text: {contains: ['{seen}']}}\n", more=rows)
    assert "its value comes from a parameter" in update("--yes").stdout


def test_a_comment_within_what_would_be_written_anew_is_not_taken_away(small: WriteScenario) -> None:
    turns = "  - say: hello\n    expect:\n      facts:\n        - a\n        # why\n        - b\n"
    path = small(turns=turns)
    before = path.read_bytes()
    assert "there are comments in what would be written anew" in update("--yes", "--force").stdout
    assert path.read_bytes() == before


def test_nothing_is_written_where_the_result_would_be_red(
    small: WriteScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = small(turns=TEXT_RED)
    before = path.read_bytes()
    monkeypatch.setattr("marg_harness.update.plan.rerecorded", lambda kind, old, got: {"contains": ["Wrong."]})
    found = update("--yes")
    assert (found.exit_code, path.read_bytes()) == (1, before)
    assert "Nothing is written: with these changes there would be reds." in found.stdout


def test_the_same_as_json(small: WriteScenario) -> None:
    small(turns=TEXT_RED)
    found = json.loads(update("--yes", "--json").stdout)
    assert found["changes"] == [
        {
            "place": "a_small_one.scenario.yaml:7",
            "check": "text",
            "owner": "model",
            "old": {"contains": ["Bye."]},
            "new": {"contains": ["Hi."]},
        }
    ]
    assert (found["written"], found["left"]) == (True, [])


def test_where_all_is_green_there_is_nothing_to_do(small: WriteScenario) -> None:
    path = small()
    before = path.read_bytes()
    found = update("--yes", "--force")
    assert (found.exit_code, path.read_bytes()) == (0, before)


@pytest.mark.parametrize("option", ["--force", "--yes"])
def test_how_to_update_without_an_update_is_refused(small: WriteScenario, option: str) -> None:
    small()
    found = CliRunner().invoke(marg, ["replay", option])
    assert "says how to --update" in str(found.exception)


def test_a_plan_writes_nothing(small: WriteScenario) -> None:
    path = small(turns=TEXT_RED)
    before = path.read_bytes()
    run = replay(load_all([path]))
    assert len(plan_of(run, chosen=[red.id for red in run.reds()], force=False).changes) == 1
    assert path.read_bytes() == before
