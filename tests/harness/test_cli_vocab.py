"""`marg vocab`: check, diff and blame on small files of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.cli.commands import VOCAB_COMMANDS
from marg_runtime.errors import LocatedError, UsageError

VOCABULARY = """
schema = 1
language = "en"
name = "Small English"

[lists]
yesword = ["yes", "sure"]

[all]
change = ["make"]
deny = ["no"]
confirm = ["{yesword}", "no problem"]
polite = ["please"]
"""

REPLIES = [
    ("yes please", "plain_yes", 5),
    ("righto", "plain_yes", 2),
    ("private please", "content", 1),
    ("make it private", "content", 1),
    ("no problem", "content", 1),
]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.toml"
    path.write_text(VOCABULARY, encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl"
    lines = (
        {
            "id": f"own-{number}",
            "source": "own",
            "language": "en",
            "question": "Shall I create the ticket?",
            "question_kind": "confirm",
            "reply": reply,
            "label": label,
            "n": n,
        }
        for number, (reply, label, n) in enumerate(REPLIES)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def with_word(old: Path, word: str) -> Path:
    path = old.with_name(f"{word}.toml")
    path.write_text(VOCABULARY.replace('"sure"', f'"sure", "{word}"'), encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(marg, ["vocab", *(str(argument) for argument in arguments)])


@pytest.mark.parametrize("name", sorted(VOCAB_COMMANDS))
def test_every_command_of_the_group_has_its_own_help(name: str) -> None:
    result = run(name, "--help")
    assert (result.exit_code, result.output.startswith(f"Usage: marg vocab {name} ")) == (0, True)


def test_diff_fails_on_private_as_a_confirm_word_and_names_the_reply(old: Path, corpus: Path) -> None:
    result = run("diff", old, with_word(old, "private"), corpus)
    assert result.exit_code == 1
    assert "private please" in result.stdout
    assert "new misread: 1" in result.stdout


def test_diff_passes_on_righto_as_a_confirm_word(old: Path, corpus: Path) -> None:
    result = run("diff", old, with_word(old, "righto"), corpus)
    assert (result.exit_code, "plain reply found: 1" in result.stdout) == (0, True)


def test_diff_of_a_file_with_itself_says_so(old: Path, corpus: Path) -> None:
    result = run("diff", old, old, corpus)
    assert (result.exit_code, result.stdout) == (0, "no reading changes\n")


def test_diff_as_json_counts_the_effects_and_lists_the_changes(old: Path, corpus: Path) -> None:
    found = json.loads(run("diff", old, with_word(old, "private"), corpus, "--json").stdout)
    assert (found["new_misread"], found["lost"]) == (1, 0)
    assert [(one["id"], one["effect"], one["after"]) for one in found["changes"]] == [
        ("own-2", "new_misread", "plain_yes")
    ]


def test_diff_takes_the_shipped_vocabulary_by_its_language(corpus: Path) -> None:
    assert run("diff", "en", "en", corpus).exit_code == 0


def test_diff_of_a_vocabulary_that_is_not_there_is_a_usage_error(old: Path, corpus: Path) -> None:
    assert isinstance(run("diff", old, "nowhere.toml", corpus).exception, UsageError)


def test_a_broken_vocabulary_is_located(old: Path, corpus: Path) -> None:
    broken = old.with_name("broken.toml")
    broken.write_text(VOCABULARY.replace("[all]", "[al]"), encoding="utf-8")
    assert isinstance(run("diff", old, broken, corpus).exception, LocatedError)


def test_check_of_a_file_without_an_error_exits_0(old: Path) -> None:
    result = run("check", old)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "0 errors, 1 warnings, 0 notes")


def test_check_names_file_and_line(old: Path) -> None:
    line = VOCABULARY.splitlines().index('confirm = ["{yesword}", "no problem"]') + 1
    assert run("check", old).stdout.startswith(f"{old}:{line}: warning: 'no problem' (all.confirm) shadows 'no'")


def test_check_fails_on_an_error(old: Path) -> None:
    old.write_text(VOCABULARY.replace('deny = ["no"]', 'deny = ["no", "[oh] sure"]'), encoding="utf-8")
    assert run("check", old).exit_code == 1


def test_check_strict_fails_on_a_warning(old: Path) -> None:
    assert run("check", old, "--strict").exit_code == 1


def test_check_knows_the_values_of_cards(old: Path) -> None:
    assert "'sure' (all) is also a value" in run("check", old, "--value", "Sure").stdout


def test_check_quiet_prints_no_notes(old: Path) -> None:
    old.write_text(VOCABULARY.replace('"no problem"', '"make sure"'), encoding="utf-8")
    assert ": note: " in run("check", old).stdout
    assert ": note: " not in run("check", old, "--quiet").stdout


def test_check_as_json_is_a_list_of_findings(old: Path) -> None:
    (finding,) = json.loads(run("check", old, "--json").stdout)
    assert (finding["severity"], finding["rule"]) == ("warning", "shadow")


def test_blame_shows_the_entry_that_causes_the_misread_first(old: Path, corpus: Path) -> None:
    rows = [line.split() for line in run("blame", corpus, "--vocabulary", old).stdout.splitlines() if line.strip()]
    assert rows[2][:3] == ["no", "problem", "all.confirm"]


def test_blame_as_json_holds_both_sides(old: Path, corpus: Path) -> None:
    found = json.loads(run("blame", corpus, "--vocabulary", old, "--json").stdout)
    (word,) = (one for one in found if (one["place"], one["text"]) == ("lists.yesword", "yes"))
    assert word["tuning"]["gained"] + word["held_out"]["gained"] == 1
    assert word["tuning"]["gained_weighted"] + word["held_out"]["gained_weighted"] == 5


def test_blame_with_everything_held_out_leaves_nothing_for_tuning(old: Path, corpus: Path) -> None:
    found = json.loads(run("blame", corpus, "--vocabulary", old, "--held-out", "1", "--json").stdout)
    assert sum(one["tuning"]["gained"] + one["tuning"]["misreads"] for one in found) == 0


def test_blame_says_how_many_rows_it_left_out(old: Path, corpus: Path) -> None:
    assert (
        "3 more entries; --rows or --json shows them." in run("blame", corpus, "--vocabulary", old, "--rows", 1).stdout
    )
