"""A small vocabulary of our own, to change at will."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from marg_runtime.reading.vocabulary import Vocabulary, parse_vocabulary_text

SMALL = """
schema = 1
language = "en"
name = "Small English"

[rewrite]
"ok" = "okay"

[lists]
yesword = ["yes", "sure", "okay"]
good = ["good", "fine"]

[all]
hedge = ["maybe", "not"]
change = ["but", "make"]
deny = ["no", "no thanks", "do not"]
confirm = ["{yesword}", "that is right", "no problem"]
praise = ["that is {good}"]
polite = ["please", "thank you"]

[dialects.confirm]
reads = { praise = "confirm" }

[dialects.more]
deny = ["that is all"]

[actions]
book = { verbs = ["book"], nouns = ["booking"] }

[choice]
ordinals = [["first", "the first one"]]
"""

Small = Callable[..., Vocabulary]


@pytest.fixture
def small() -> Small:
    """Give a maker of the small vocabulary; each pair of texts replaces the first by the second in its file."""

    def make(*changes: tuple[str, str]) -> Vocabulary:
        text = SMALL
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        return parse_vocabulary_text(text, path="small.toml")

    return make
