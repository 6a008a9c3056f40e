"""The scorer on scripted readers: groups, conflicts, languages, intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import pytest

from marg_corpora import Count, Label, Plan, Record, Score, Verdict, score, score_rows
from marg_corpora.cells import RowKey
from marg_corpora.errors import GroupError
from marg_corpora.record_reader import question_of
from marg_corpora.split import SPLITS, Split
from marg_runtime import Question
from marg_runtime.reading.kinds import QuestionKind, ReadingKind


@dataclass
class ScriptedReader:
    """Reads only the replies it was told about, and keeps what it was asked."""

    name: str
    script: dict[str, ReadingKind]
    languages: tuple[str, ...] = ("en",)
    asked: list[Question] = field(default_factory=list)

    def read(self, reply: str, question: Question, *, language: str) -> Verdict:
        self.asked.append(question)
        if language not in self.languages:
            return Verdict(kind="content", has_vocabulary=False)
        return Verdict(kind=self.script[reply])


def record(
    reply: str,
    label: Label,
    *,
    source: str = "own",
    language: str = "en",
    question: str = "Shall I create it?",
    question_kind: QuestionKind = "confirm",
    n: int = 1,
    conflict: bool = False,
) -> Record:
    return Record(
        id=f"{source}-{reply}",
        source=source,
        language=language,
        question=question,
        question_kind=question_kind,
        reply=reply,
        label=label,
        n=n,
        conflict=conflict,
    )


SCRIPT: dict[str, ReadingKind] = {
    "yes": "plain_yes",
    "yes but later": "plain_yes",
    "no": "plain_yes",
    "nope": "content",
}
EAGER = ScriptedReader("eager", SCRIPT)
RECORDS = [
    record("yes", "plain_yes", n=5),
    record("yes but later", "content", n=2),
    record("no", "plain_no", source="other", question_kind="offer"),
    record("nope", "plain_no", question_kind="offer", n=7),
]


def rows(result: Score) -> list[RowKey]:
    return [row.key for row in result.rows]


def test_a_row_is_a_reader_and_a_source_in_order() -> None:
    result = score(RECORDS, readers=[EAGER])
    assert rows(result) == [("eager", "other", ""), ("eager", "own", "")]


def test_readers_keep_the_order_they_were_asked_for_within_a_source() -> None:
    calm = ScriptedReader("calm", dict.fromkeys(SCRIPT, "content"))
    assert [row.key.reader for row in score(RECORDS, readers=[EAGER, calm]).rows] == ["eager", "calm"] * 2


def test_a_source_is_split_further_by_the_group() -> None:
    result = score(RECORDS, readers=[EAGER], by="question_kind")
    assert rows(result) == [("eager", "other", "offer"), ("eager", "own", "confirm"), ("eager", "own", "offer")]


def test_counts_are_kept_unique_and_weighted() -> None:
    own = score(RECORDS, readers=[EAGER]).rows[1].tally
    assert own.misread == Count(unique=1, weighted=2)
    assert own.missed_no == Count(unique=1, weighted=7)


def test_conflicting_records_are_left_out_and_counted() -> None:
    result = score([*RECORDS, record("yes", "content", conflict=True)], readers=[EAGER])
    assert (result.conflicts, result.rows[1].conflicts, result.rows[1].tally.replies.unique) == (1, 1, 3)


def test_conflicting_records_count_when_asked_for() -> None:
    result = score([*RECORDS, record("yes", "content", conflict=True)], readers=[EAGER], with_conflicts=True)
    assert (result.conflicts, result.rows[1].tally.misread.unique) == (0, 2)


def test_a_group_with_nothing_but_conflicts_is_still_a_row() -> None:
    result = score([record("yes", "content", conflict=True)], readers=[EAGER])
    assert (rows(result), result.rows[0].tally.replies) == ([("eager", "own", "")], Count())


def test_a_language_without_a_vocabulary_is_listed_with_its_replies() -> None:
    result = score([*RECORDS, record("ja", "plain_yes", language="sv", n=3)], readers=[EAGER])
    (unknown,) = result.unknown_languages
    assert (unknown.reader, unknown.language, unknown.replies) == ("eager", "sv", 1)


def test_another_group_is_refused_with_the_known_ones() -> None:
    with pytest.raises(GroupError, match="'reply'; choose one of question_kind, source, language, label"):
        Plan(by="reply")  # type: ignore[arg-type]


def test_one_side_of_the_split_may_be_scored_alone() -> None:
    replies = [score(RECORDS, readers=[EAGER], plan=Plan(split=cast(Split, side))).rows for side in SPLITS]
    assert sum(row.tally.replies.unique for side in replies for row in side) == len(RECORDS)


def test_records_are_pulled_one_at_a_time() -> None:
    reader = ScriptedReader("eager", SCRIPT)

    def stream() -> object:
        for place, one in enumerate(RECORDS):
            assert len(reader.asked) == place
            yield one

    assert len(score(stream(), readers=[reader]).rows) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_record_without_a_question_is_a_generic_confirmation(blank: str) -> None:
    assert question_of(record("yes", "plain_yes", question=blank, question_kind="other")) == Question()


def test_a_record_with_a_question_keeps_its_text_and_kind() -> None:
    asked = question_of(record("no", "plain_no", question="Anything else?", question_kind="more"))
    assert (asked.text, asked.kind) == ("Anything else?", "more")


def test_the_json_rows_are_flat_and_name_the_group() -> None:
    (row,) = score_rows(score(RECORDS[:2], readers=[EAGER], by="question_kind"))
    expected = {"reader": "eager", "source": "own", "question_kind": "confirm", "replies": 2, "replies_weighted": 7}
    expected |= {"content": 1, "misread": 1, "misread_weighted": 2, "plain_yes": 1, "missed_yes": 0}
    expected |= {"plain_no": 0, "missed_no": 0, "flips": 0, "flips_weighted": 0, "conflicts_left_out": 0}
    assert expected.items() <= row.items()


def test_by_source_the_json_rows_have_no_other_group() -> None:
    (row,) = score_rows(score(RECORDS[:2], readers=[EAGER]))
    assert "question_kind" not in row


def test_a_zero_has_an_upper_bound_beside_its_interval() -> None:
    (row,) = score_rows(score(RECORDS[:2], readers=[EAGER]))
    assert row["missed_yes_upper"] == pytest.approx(0.975)
    assert row["missed_yes_interval"] == [0.0, pytest.approx(0.7935, abs=1e-4)]


def test_a_hit_has_an_interval_and_no_upper_bound() -> None:
    (row,) = score_rows(score(RECORDS[:2], readers=[EAGER]))
    assert row["misread_interval"] == [pytest.approx(0.2065, abs=1e-4), 1.0]
    assert row["misread_upper"] is None


def test_a_share_of_nothing_has_no_interval() -> None:
    (row,) = score_rows(score(RECORDS[:2], readers=[EAGER]))
    assert (row["missed_no_interval"], row["missed_no_upper"]) == (None, None)
