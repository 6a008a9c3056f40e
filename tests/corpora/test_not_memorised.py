"""Neither the reader nor its vocabulary names whole replies of the shipped corpus: scoring on it would say nothing."""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import marg_runtime.reading.vocabulary as vocabulary
from marg_corpora.data.counts import corpus_text
from marg_runtime.reading.words import MARKS, norms

READING = Path(vocabulary.__file__).parent
# Idioms and ordinals of three words that anybody would list. One or two words are not counted: "yes" is a whole reply.
IDIOMS = {("go", "for", "it"), ("go", "ahead", "please"), ("the", "third", "one"), ("the", "last", "one")}
LEAST_WORDS = 3


def words(text: str) -> tuple[str, ...]:
    return tuple(word for word in norms(text) if word not in MARKS)


def whole_replies() -> set[tuple[str, ...]]:
    replies = {words(json.loads(line)["reply"]) for line in corpus_text().splitlines()}
    return {reply for reply in replies if len(reply) >= LEAST_WORDS}


def texts_of(value: object) -> Iterator[str]:
    """Every text in a vocabulary, keys of rewrites among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner)


def test_the_corpus_has_whole_replies_to_name() -> None:
    assert len(whole_replies()) > 300


def test_no_vocabulary_entry_is_a_whole_reply_but_for_common_idioms() -> None:
    entries = {words(text) for text in texts_of(tomllib.loads((READING / "data" / "en.toml").read_text("utf-8")))}
    assert (entries & whole_replies()) - IDIOMS == set()


def test_no_text_in_the_readers_code_is_a_whole_reply() -> None:
    texts = {
        words(node.value)
        for path in sorted(READING.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert texts & whole_replies() == set()
