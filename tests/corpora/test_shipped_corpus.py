"""The shipped corpus keeps its size, its mix, its ids and the counts that its README states."""

import hashlib
import json
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import TypedDict, cast

import pytest

from marg_corpora.data.counts import corpus_text, count_tables

EXPECTED_RECORDS = 521
LEAST_CONTENT_SHARE = 0.60
LEAST_PER_HARD_KIND = 5
LONGEST_QUESTION = 300
KEYS = ["id", "source", "language", "question", "question_kind", "reply", "label", "why", "acts", "n", "conflict"]
KINDS = {"confirm", "offer", "more", "boolean_slot", "review", "optional", "cancel", "choice", "other"}
NOT_YES_NO_KINDS = {"choice", "other"}
HARD_KINDS = (
    "both_yes_and_no",
    "cancel",
    "code_switching",
    "deferral",
    "dialect_trap",
    "digits",
    "elongation",
    "embedded_word",
    "emoji",
    "hedge",
    "hidden_characters",
    "negated_deny",
    "new_value",
    "no_but_instruction",
    "no_led_fact",
    "ordinal",
    "praise",
    "question",
    "quoted_yes",
    "restated_value",
    "skip",
    "thanks_only",
    "third_person_yes",
    "yes_but_change",
    "yes_led_instruction",
)
LABEL_OF_RULE = {"rule 10": "plain_no", "rule 11": "plain_yes"} | {
    f"rule {number}": "content" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12)
}


class ShippedRecord(TypedDict):
    """One line of the shipped corpus."""

    id: str
    source: str
    language: str
    question: str
    question_kind: str
    reply: str
    label: str
    why: str
    acts: list[str]
    n: int
    conflict: bool


@cache
def shipped() -> tuple[ShippedRecord, ...]:
    return tuple(cast(ShippedRecord, json.loads(line)) for line in corpus_text().splitlines())


def document(name: str) -> str:
    return files("marg_corpora.data").joinpath(name).read_text(encoding="utf-8")


def digest_id(record: ShippedRecord) -> str:
    text = "\n".join((record["question_kind"], record["question"], record["reply"]))
    return "support-intake-" + hashlib.sha256(text.encode()).hexdigest()[:12]


def test_the_corpus_holds_521_records() -> None:
    assert len(shipped()) == EXPECTED_RECORDS


def test_every_record_has_exactly_the_keys_of_the_format_in_order() -> None:
    assert [record["id"] for record in shipped() if list(record) != KEYS] == []


def test_every_value_has_the_type_of_the_format() -> None:
    kinds = {"n": int, "conflict": bool, "acts": list}
    wrong = [
        (record["id"], key)
        for record in shipped()
        for key, value in record.items()
        if type(value) is not kinds.get(key, str)
    ]
    assert wrong == []


def test_every_id_is_the_digest_of_kind_question_and_reply() -> None:
    assert [record["id"] for record in shipped() if record["id"] != digest_id(record)] == []


def test_ids_are_unique_and_sorted() -> None:
    ids = [record["id"] for record in shipped()]
    assert ids == sorted(set(ids))


def test_no_question_has_the_same_reply_twice_whatever_its_case_and_spacing() -> None:
    seen = Counter((r["question"], " ".join(r["reply"].casefold().split())) for r in shipped())
    assert [pair for pair, count in seen.items() if count > 1] == []


def test_content_is_at_least_sixty_percent() -> None:
    content = sum(record["label"] == "content" for record in shipped())
    assert content / len(shipped()) >= LEAST_CONTENT_SHARE


@pytest.mark.parametrize("label", ["plain_yes", "plain_no"])
def test_both_plain_labels_are_there(label: str) -> None:
    assert any(record["label"] == label for record in shipped())


@pytest.mark.parametrize("hard_kind", HARD_KINDS)
def test_every_hard_kind_comes_at_least_five_times(hard_kind: str) -> None:
    assert sum(hard_kind in record["acts"] for record in shipped()) >= LEAST_PER_HARD_KIND


def test_tags_are_known_hard_kinds_sorted_and_unique() -> None:
    wrong = [r["id"] for r in shipped() if r["acts"] != sorted(set(r["acts"]) & set(HARD_KINDS))]
    assert wrong == []


def test_kinds_of_question_are_those_of_the_reader() -> None:
    assert {record["question_kind"] for record in shipped()} == KINDS


def test_a_question_has_one_kind() -> None:
    kinds = {(record["question"], record["question_kind"]) for record in shipped()}
    assert len(kinds) == len({question for question, _ in kinds})


def test_no_question_is_longer_than_the_format_allows() -> None:
    assert max(len(record["question"]) for record in shipped()) <= LONGEST_QUESTION


def test_source_language_weight_and_conflict_are_the_same_throughout() -> None:
    constants = {(r["source"], r["language"], r["n"], r["conflict"]) for r in shipped()}
    assert constants == {("support-intake", "en", 1, False)}


def test_the_label_is_the_one_its_rule_gives() -> None:
    assert [record["id"] for record in shipped() if LABEL_OF_RULE[record["why"]] != record["label"]] == []


def test_R6_a_card_that_cannot_be_answered_with_yes_or_no_has_only_content() -> None:
    labels = {record["label"] for record in shipped() if record["question_kind"] in NOT_YES_NO_KINDS}
    assert labels == {"content"}


def test_R5_no_plain_reply_holds_a_question_mark() -> None:
    asking = [r["id"] for r in shipped() if r["label"] != "content" and re.search("[?？]", r["reply"])]
    assert asking == []


def test_the_file_is_ascii_so_that_hidden_characters_show() -> None:
    assert corpus_text().isascii()


def test_the_readme_states_the_counts_of_the_file() -> None:
    stated = document("README.md").split("<!-- counts -->\n", 1)[1]
    assert stated == count_tables(shipped())


def test_the_guideline_describes_every_hard_kind() -> None:
    rows = set(re.findall(r"^\| `([a-z_]+)` \|", document("guideline.md").split("## 5.", 1)[1], re.MULTILINE))
    assert rows == set(HARD_KINDS)


def test_no_example_of_the_guideline_is_in_the_corpus() -> None:
    names = {"plain_yes", "plain_no", "content", *KINDS, *HARD_KINDS}
    examples = {text.casefold() for text in re.findall(r"`([^`\n]+)`", document("guideline.md"))} - names
    assert examples & {record["reply"].casefold() for record in shipped()} == set()
