"""`marg read`: one reading, explained."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_runtime.errors import ReadingError

QUESTION = ("--question", "Shall I create the ticket?")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(marg, ["read", *arguments])


def reading(*arguments: str) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(run(*arguments, "--json").stdout)
    return loaded


def test_the_verdict_comes_first() -> None:
    assert run("yes", *QUESTION).stdout.startswith("plain_yes  yes, and nothing else\n")


def test_every_token_is_shown_with_its_class_and_place() -> None:
    shown = " ".join(run("Yes, please", *QUESTION).stdout.split())
    assert "Yes confirm 0–3" in shown
    assert "please polite 5–11" in shown


def test_what_made_it_content_is_said() -> None:
    shown = run("Yes but change the title to login fails", *QUESTION).stdout
    assert shown.startswith("content")
    assert "why       " in shown


def test_without_a_question_nothing_is_a_yes() -> None:
    shown = run("yes").stdout
    assert shown.startswith("content")
    assert "none is open" in shown


def test_an_empty_question_is_a_generic_confirmation() -> None:
    assert reading("yes", "--question", "")["kind"] == "plain_yes"


def test_the_kind_of_question_is_taken() -> None:
    record = reading("no, thank you", "--question", "Anything else?", "--kind", "more")
    assert record["question"] == {**dict(record["question"]), "kind": "more"}  # type: ignore[call-overload]


def test_options_make_a_choice() -> None:
    record = reading("high", "--question", "How urgent is it?", "--option", "Low", "--option", "High")
    assert (record["kind"], record["choice"]) == ("choice", "High")


def test_another_reader_reads_it() -> None:
    assert reading("yes but later", *QUESTION, "--reader", "leading_word")["kind"] == "plain_yes"


def test_the_json_record_holds_the_tokens_with_their_spans() -> None:
    tokens = reading("Yes, please", *QUESTION)["tokens"]
    assert {"text": "Yes", "start": 0, "end": 3, "token_class": "confirm"} in tokens  # type: ignore[operator]


def test_a_language_without_a_vocabulary_says_so() -> None:
    assert "there is no vocabulary for 'sv'" in run("ja", *QUESTION, "--language", "sv").stdout


def test_a_reply_never_steers_the_terminal() -> None:
    assert "\x1b" not in run("yes \x1b[2J", *QUESTION).stdout


def test_an_unknown_reader_is_refused() -> None:
    assert isinstance(run("yes", "--reader", "nobody").exception, ReadingError)


@pytest.mark.parametrize("option", ["--kind", "--bogus"])
def test_a_wrong_option_exits_2(option: str) -> None:
    assert run("yes", option, "quiz").exit_code == 2
