"""The walk over all words that the patterns of a dialect read."""

from __future__ import annotations

import pytest

from marg_corpora.vocabulary import coverage
from marg_corpora.vocabulary.coverage import meetings, net_of
from marg_runtime.errors import UsageError

from .conftest import Small


def test_every_pattern_ends_somewhere_with_an_example(small: Small) -> None:
    found = meetings(net_of(small(), kind="confirm"))
    examples = {one.entries[0].text: " ".join(one.words) for one in found if len(one.entries) == 1}
    assert examples["that is {good}"] in ("that is fine", "that is good")
    assert examples["no problem"] == "no problem"


def test_patterns_that_read_the_same_words_meet(small: Small) -> None:
    vocabulary = small(('"that is {good}"', '"that is {good}", "that [is] fine"'))
    (meeting,) = (one for one in meetings(net_of(vocabulary, kind="confirm")) if len(one.entries) > 1)
    assert (" ".join(meeting.words), {entry.role for entry in meeting.entries}) == ("that is fine", {"praise"})


def test_an_example_is_a_shortest_one(small: Small) -> None:
    vocabulary = small(('"no problem"', '"no [really] [really] problem"'))
    (meeting,) = (
        one for one in meetings(net_of(vocabulary, kind="confirm")) if one.entries[0].text.endswith("problem")
    )
    assert meeting.words == ("no", "problem")


def test_a_walk_that_grows_too_far_is_given_up_with_the_reason(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "MOST_PLACES", 5)
    with pytest.raises(UsageError, match="more than 5 places"):
        meetings(net_of(small(), kind="confirm"))
