"""The readers on real replies: the order of size that makes the case for a whole-message reader.

The bands are wide on purpose: they hold the claim ("a leading-word reader misreads most of the content at a
confirmation, the literal rule misses nearly every real yes"), not one release's second decimal.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_corpora import Count, ShippedReader, Tally, read_records, score


def share(hits: Count, of: Count) -> float:
    return hits.unique / of.unique


def weighted(hits: Count, of: Count) -> float:
    return hits.weighted / of.weighted


@pytest.fixture(scope="module")
def at_confirm(corpora_folder: Path) -> dict[str, Tally]:
    """Give the tally of each reader at the SGD turns that ask to confirm."""
    records = (one for one in read_records(corpora_folder / "sgd.jsonl.gz") if one.question_kind == "confirm")
    readers = [ShippedReader(name=name) for name in ("leading_word", "literal", "whole_message")]
    return {row.key.reader: row.tally for row in score(records, readers=readers).rows}


def test_leading_word_misreads_about_61_percent_of_the_content_at_sgd_confirmations(
    at_confirm: dict[str, Tally],
) -> None:
    tally = at_confirm["leading_word"]
    assert 0.55 < share(tally.misread, tally.content) < 0.67


def test_the_literal_rule_misreads_next_to_nothing_at_sgd_confirmations(at_confirm: dict[str, Tally]) -> None:
    tally = at_confirm["literal"]
    assert share(tally.misread, tally.content) < 0.001


def test_the_literal_rule_misses_about_93_percent_of_the_weighted_yeses_at_sgd_confirmations(
    at_confirm: dict[str, Tally],
) -> None:
    tally = at_confirm["literal"]
    assert 0.88 < weighted(tally.missed_yes, tally.plain_yes) < 0.98


def test_the_whole_message_reader_finds_most_of_the_yeses_that_the_literal_rule_misses(
    at_confirm: dict[str, Tally],
) -> None:
    whole, literal = at_confirm["whole_message"], at_confirm["literal"]
    assert whole.missed_yes.weighted < literal.missed_yes.weighted / 2


def test_the_whole_message_reader_misreads_a_hundredth_of_what_leading_word_does(
    at_confirm: dict[str, Tally],
) -> None:
    whole, leading = at_confirm["whole_message"], at_confirm["leading_word"]
    assert whole.misread.unique < leading.misread.unique / 100


def test_every_record_of_the_public_corpora_parses(corpora_folder: Path) -> None:
    files = sorted(corpora_folder.glob("*.jsonl.gz"))
    assert all(sum(1 for _ in read_records(path)) for path in files)
    assert len(files) >= 10
