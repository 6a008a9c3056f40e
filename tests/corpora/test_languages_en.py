"""The labelled replies in English beside the shipped corpus: their form, their setting words, and what they guard.

`data/languages/en.jsonl` has the form of the other files in that folder. Many of its replies are a setting or a wish
with courtesy and nothing else ("private please", "later please"): what one careless vocabulary entry turns into a yes.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from marg_corpora.data.counts import corpus_text, language_table
from marg_corpora.record import Record
from marg_corpora.record_reader import question_of
from marg_corpora.vocabulary import DANGERS, Change, vocabulary_at, vocabulary_changes
from marg_runtime import Question, read
from marg_runtime.reading.vocabulary import Vocabulary
from marg_runtime.reading.whole_message import WholeMessage

EXPECTED_LABELS = {"content": 146, "plain_yes": 50, "plain_no": 41}
LEAST_CONTENT_SHARE = 0.60
MOST_MISSED = 0.10
LONGEST_QUESTION = 300
KEYS = ["id", "source", "language", "question", "question_kind", "reply", "label", "why", "acts", "n", "conflict"]
CARDS = {"confirm", "review", "optional", "offer", "more", "boolean_slot", "cancel", "choice", "other"}
LABEL_OF_RULE = {"rule 10": "plain_no", "rule 11": "plain_yes"}
SETTING_CARDS = {"confirm", "review"}
# A setting or a wish, with courtesy or filler beside it and nothing else.
SETTINGS = (
    "private please",
    "private",
    "make it private",
    "keep this private please",
    "just private then",
    "high please",
    "urgent, thanks",
    "public",
    "tomorrow please",
    "later please",
    "cheaper please",
    "quickly please",
    "again please",
    "mine please",
    "both please",
)


@cache
def text() -> str:
    return corpus_text("languages/en.jsonl")


@cache
def records() -> tuple[Record, ...]:
    return tuple(Record.model_validate_json(line) for line in text().splitlines())


def digest_id(record: Record) -> str:
    joined = "\n".join((record.question_kind, record.question, record.reply))
    return "languages-" + hashlib.sha256(joined.encode()).hexdigest()[:12]


def kind_of(record: Record) -> str:
    return read(record.reply, question_of(record), language="en").kind


# The records


def test_the_english_replies_have_the_labels_they_were_committed_with() -> None:
    assert Counter(record.label for record in records()) == EXPECTED_LABELS


def test_at_least_sixty_percent_of_the_english_replies_are_content() -> None:
    assert sum(record.label == "content" for record in records()) >= LEAST_CONTENT_SHARE * len(records())


def test_every_english_record_has_exactly_the_keys_of_the_format_in_order() -> None:
    assert [line for line in text().splitlines() if list(json.loads(line)) != KEYS] == []


def test_every_english_id_is_the_digest_of_kind_question_and_reply() -> None:
    assert [record.id for record in records() if record.id != digest_id(record)] == []


def test_english_ids_are_unique_and_sorted() -> None:
    ids = [record.id for record in records()]
    assert ids == sorted(set(ids))


def test_no_english_question_has_the_same_reply_twice_whatever_its_case_and_spacing() -> None:
    seen = Counter((record.question, " ".join(record.reply.casefold().split())) for record in records())
    assert [pair for pair, count in seen.items() if count > 1] == []


def test_source_language_weight_and_conflict_are_the_same_in_the_english_file() -> None:
    constants = {(record.source, record.language, record.n, record.conflict) for record in records()}
    assert constants == {("languages", "en", 1, False)}


def test_the_english_label_is_the_one_its_rule_gives() -> None:
    rules = {f"rule {number}" for number in range(1, 13)}
    wrong = [record.id for record in records() if LABEL_OF_RULE.get(record.why or "", "content") != record.label]
    assert ({record.why for record in records()} - rules, wrong) == (set(), [])


def test_every_card_of_the_guideline_is_asked_in_english() -> None:
    assert {record.question_kind for record in records()} == CARDS


def test_no_english_question_is_longer_than_the_format_allows() -> None:
    assert max(len(record.question) for record in records()) <= LONGEST_QUESTION


def test_the_english_file_is_ascii_so_that_hidden_characters_show() -> None:
    assert text().isascii()


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_with_courtesy_is_asked_of_a_confirmation_or_a_review_and_is_content(setting: str) -> None:
    labels = {r.label for r in records() if r.reply == setting and r.question_kind in SETTING_CARDS}
    assert labels == {"content"}


# How they are read


@pytest.mark.parametrize("setting", SETTINGS)
def test_R3_a_setting_with_courtesy_is_read_as_content_wherever_it_is_said(setting: str) -> None:
    plain = [record.id for record in records() if record.reply == setting and kind_of(record).startswith("plain")]
    assert plain == []


def test_R1_no_english_content_reply_is_misread() -> None:
    assert [r.reply for r in records() if r.label == "content" and kind_of(r).startswith("plain")] == []


def test_no_english_yes_is_read_as_a_no_nor_the_other_way_round() -> None:
    turned = [r.reply for r in records() if r.label != "content" and kind_of(r) not in (r.label, "content")]
    assert turned == []


def test_at_most_one_in_ten_plain_english_replies_is_missed() -> None:
    plain = [record for record in records() if record.label != "content"]
    missed = [record.reply for record in plain if kind_of(record) == "content"]
    assert len(missed) <= MOST_MISSED * len(plain), missed


# What they guard: the shipped vocabulary with one more plain yes


def widened(word: str, folder: Path) -> Vocabulary:
    shipped = files("marg_runtime.reading").joinpath("data", "en.toml").read_text(encoding="utf-8")
    opening = "\nyesword = [\n"
    assert shipped.count(opening) == 1
    path = folder / "en.toml"
    path.write_text(shipped.replace(opening, f'{opening}    "{word}",\n'), encoding="utf-8")
    return vocabulary_at(str(path))


def dangers(after: Vocabulary) -> list[Change]:
    ours = [*records(), *map(Record.model_validate_json, corpus_text().splitlines())]
    changes = vocabulary_changes(ours, before=vocabulary_at("en"), after=after)
    return [change for change in changes if change.effect in DANGERS]


def test_private_as_a_plain_yes_opens_misreads_and_the_replies_are_named(tmp_path: Path) -> None:
    replies = {change.record.reply for change in dangers(widened("private", tmp_path))}
    assert {"private", "private please"} <= replies
    assert [reply for reply in replies if "private" not in reply] == []


def test_righto_as_a_plain_yes_is_read_and_opens_nothing(tmp_path: Path) -> None:
    after = widened("righto", tmp_path)
    assert WholeMessage().read("righto, thanks", Question(), after).kind == "plain_yes"
    assert dangers(after) == []


def test_righto_is_in_no_english_reply_so_that_it_may_be_tried() -> None:
    assert "righto" not in text().casefold()


# The page


def test_the_readme_of_the_corpus_states_the_counts_of_every_language_file() -> None:
    stated = corpus_text("README.md").split("<!-- languages -->\n")[1].split("<!-- /languages -->")[0]
    assert stated == language_table()
