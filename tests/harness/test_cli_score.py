"""`marg score` on small files of our own, and on the public corpora where they are there."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_runtime.errors import LocatedError, ReadingError, UsageError

REPLIES = [
    ("yes", "plain_yes", "confirm", 9),
    ("yes but change the title to login fails", "content", "confirm", 2),
    ("what does that cost?", "content", "confirm", 1),
    ("no", "plain_no", "offer", 4),
    ("no, thank you", "plain_no", "offer", 1),
]


def corpus_line(reply: str, label: str, kind: str, n: int, **changes: object) -> str:
    question = {"confirm": "Shall I create the ticket?", "offer": "Would you like me to book it?"}[kind]
    record = {
        "id": f"own-{reply}",
        "source": "own",
        "language": "en",
        "question": question,
        "question_kind": kind,
        "reply": reply,
        "label": label,
        "n": n,
    }
    return json.dumps({**record, **changes}) + "\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl"
    path.write_text("".join(corpus_line(*reply) for reply in REPLIES), encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(marg, ["score", *(str(argument) for argument in arguments)])


def rows(*arguments: object) -> list[dict[str, object]]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    loaded: list[dict[str, object]] = json.loads(result.stdout)
    return loaded


def test_a_leading_word_reader_misreads_the_yes_that_carries_a_change(corpus: Path) -> None:
    (row,) = rows(corpus, "--reader", "leading_word")
    assert (row["content"], row["misread"], row["misread_weighted"]) == (2, 1, 2)


def test_the_whole_message_reader_misreads_nothing_there(corpus: Path) -> None:
    (row,) = rows(corpus, "--reader", "whole_message")
    assert (row["misread"], row["missed_yes"], row["missed_no"], row["flips"]) == (0, 0, 0, 0)


def test_the_default_is_the_whole_message_reader_by_source(corpus: Path) -> None:
    assert [(row["reader"], row["source"]) for row in rows(corpus)] == [("whole_message", "own")]


def test_rows_are_split_by_the_group(corpus: Path) -> None:
    assert [row["question_kind"] for row in rows(corpus, "--by", "question_kind")] == ["confirm", "offer"]


def test_a_reader_named_twice_counts_once(corpus: Path) -> None:
    assert len(rows(corpus, "--reader", "literal", "--reader", "literal")) == 1


def test_gzip_scores_like_the_plain_file(corpus: Path, tmp_path: Path) -> None:
    packed = tmp_path / "own.jsonl.gz"
    packed.write_bytes(gzip.compress(corpus.read_bytes()))
    assert rows(packed) == rows(corpus)


def test_two_files_add_up(corpus: Path, tmp_path: Path) -> None:
    other = tmp_path / "more.jsonl"
    other.write_text(corpus_line("sure", "plain_yes", "confirm", 1), encoding="utf-8")
    assert rows(corpus, other)[0]["replies"] == len(REPLIES) + 1


def test_conflicts_are_left_out_unless_asked_for(corpus: Path, tmp_path: Path) -> None:
    other = tmp_path / "more.jsonl"
    other.write_text(corpus_line("yes", "content", "confirm", 1, conflict=True), encoding="utf-8")
    assert [row["conflicts_left_out"] for row in rows(corpus, other)] == [1]
    assert [row["misread"] for row in rows(corpus, other, "--with-conflicts")] == [1]


def test_the_number_of_conflicts_left_out_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(corpus_line("yes", "content", "confirm", 1, conflict=True), encoding="utf-8")
    assert "1 records left out" in run(path).stdout


def test_a_language_without_a_vocabulary_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(corpus_line("ja", "plain_yes", "confirm", 1, language="sv"), encoding="utf-8")
    assert "No vocabulary, so every reply read as content by whole_message: sv (1)." in run(path).stdout


def test_json_is_alone_on_stdout(corpus: Path, tmp_path: Path) -> None:
    other = tmp_path / "more.jsonl"
    other.write_text(corpus_line("ja", "plain_yes", "confirm", 1, language="sv", conflict=True), encoding="utf-8")
    result = run(corpus, other, "--json")
    assert isinstance(json.loads(result.stdout), list)
    assert "1 records left out" in result.stderr


def test_quiet_keeps_stderr_empty(corpus: Path, tmp_path: Path) -> None:
    other = tmp_path / "more.jsonl"
    other.write_text(corpus_line("yes", "content", "confirm", 1, conflict=True), encoding="utf-8")
    assert run(corpus, other, "--json", "--quiet").stderr == ""


def test_the_table_shows_both_sides_with_interval_and_upper_bound(corpus: Path) -> None:
    shown = " ".join(run(corpus, "--reader", "leading_word", "--reader", "whole_message").stdout.split())
    assert "1/2 50.0 % [9.5–90.5 %]" in shown
    assert "0/2 ≤ 84.19 %" in shown
    assert "missed yes" in shown


def test_a_name_that_would_steer_the_terminal_is_written_out(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(corpus_line("yes", "plain_yes", "confirm", 1, source="\x1b[2Jown[red]"), encoding="utf-8")
    assert "\\x1b[2Jown[red]" in run(path).stdout


def test_misreads_do_not_fail_a_measurement(corpus: Path) -> None:
    assert run(corpus, "--reader", "leading_word").exit_code == 0


def test_misreads_fail_when_asked_to(corpus: Path) -> None:
    assert run(corpus, "--reader", "leading_word", "--fail-on-misread").exit_code == 1


def test_nothing_fails_without_a_misread(corpus: Path) -> None:
    assert run(corpus, "--fail-on-misread").exit_code == 0


def test_an_unknown_reader_is_refused_with_the_nearest(corpus: Path) -> None:
    error = run(corpus, "--reader", "whole_mesage").exception
    assert isinstance(error, ReadingError)
    assert "did you mean 'whole_message'?" in str(error)


def test_an_unknown_reader_is_refused_before_any_record_is_read(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text("broken", encoding="utf-8")
    assert isinstance(run(path, "--reader", "nobody").exception, ReadingError)


def test_a_broken_line_is_located_and_nothing_is_printed(corpus: Path) -> None:
    corpus.write_text(corpus.read_text(encoding="utf-8") + "broken\n", encoding="utf-8")
    result = run(corpus)
    assert isinstance(result.exception, LocatedError)
    assert (result.exception.line, result.stdout) == (len(REPLIES) + 1, "")


def test_a_missing_file_is_a_usage_error() -> None:
    assert isinstance(run("nowhere.jsonl").exception, UsageError)


def test_no_file_at_all_exits_2() -> None:
    assert run().exit_code == 2


def test_an_unknown_group_exits_2(corpus: Path) -> None:
    assert run(corpus, "--by", "reply").exit_code == 2


def test_one_side_of_the_split_and_the_other_make_up_the_whole(corpus: Path) -> None:
    sides = [rows(corpus, "--split", side) for side in ("tuning", "held_out")]
    assert sum(int(str(row["replies"])) for side in sides for row in side) == len(REPLIES)


def test_an_unknown_side_of_the_split_exits_2(corpus: Path) -> None:
    assert run(corpus, "--split", "both").exit_code == 2


def test_the_rate_of_each_reader_is_printed_when_asked_for(corpus: Path) -> None:
    shown = run(corpus, "--reader", "literal", "--reader", "leading_word", "--time").stdout
    assert [line.split(" reads ")[0] for line in shown.splitlines() if line.endswith("/s")] == [
        "literal",
        "leading_word",
    ]


def test_the_rate_is_in_the_json_rows_when_asked_for(corpus: Path) -> None:
    (row,) = rows(corpus, "--time")
    assert float(str(row["replies_per_second"])) > 0


def test_without_being_asked_for_there_is_no_rate(corpus: Path) -> None:
    assert "replies_per_second" not in rows(corpus)[0]


def test_the_misread_replies_are_listed_when_asked_for(corpus: Path) -> None:
    shown = run(corpus, "--reader", "leading_word", "--show", "misread").stdout
    assert "own-yes but change the title to login fails" in shown
    assert "own-what does that cost?" not in shown


def test_no_more_replies_are_listed_than_asked_for(corpus: Path) -> None:
    shown = run(corpus, "--reader", "click_only", "--show", "missed_no", "--limit", "1").stdout
    assert "1 more; --limit shows them" in shown


def test_the_json_rows_hold_their_own_replies(corpus: Path) -> None:
    found = rows(corpus, "--reader", "leading_word", "--show", "misread", "--by", "question_kind")
    assert [len(row["cases"]) for row in found] == [1, 0]  # type: ignore[arg-type]


def test_judgements_are_counted_apart(corpus: Path, tmp_path: Path) -> None:
    judged = tmp_path / "judged"
    judged.write_text(f'{{"id": "own-{REPLIES[1][0]}", "judgement": "arguable"}}\n', encoding="utf-8")
    (row,) = rows(corpus, "--reader", "leading_word", "--judged", judged)
    assert row["judged"] == {"reader_error": 0, "arguable": 1, "annotation": 0, "not_judged": 0}
    shown = run(corpus, "--reader", "leading_word", "--judged", judged).stdout
    assert "Misreads and flips of leading_word, own: 0 reader error, 1 arguable, 0 annotation, 0 not judged." in shown


def test_two_processes_print_what_one_prints(corpus: Path) -> None:
    options = ("--reader", "leading_word", "--by", "label", "--show", "misread")
    assert run(corpus, *options, "--jobs", "2").stdout == run(corpus, *options, "--jobs", "1").stdout


def test_a_broken_line_is_located_in_two_processes_as_in_one(corpus: Path) -> None:
    corpus.write_text(corpus.read_text(encoding="utf-8") + "broken\n", encoding="utf-8")
    one, two = (str(run(corpus, "--jobs", jobs).exception) for jobs in (1, 2))
    assert one == two


def test_the_readers_side_by_side_on_public_replies(corpora_folder: Path) -> None:
    readers = ("leading_word", "literal", "whole_message")
    options = [word for name in readers for word in ("--reader", name)]
    found = rows(corpora_folder / "taskmaster4.jsonl.gz", *options, "--by", "question_kind")
    assert [row["reader"] for row in found] == [*readers] * 3
    assert {row["question_kind"] for row in found} == {"confirm", "offer", "other"}
