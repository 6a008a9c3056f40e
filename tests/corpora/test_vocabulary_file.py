"""Vocabularies by file or by language, and the reader over one."""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_corpora import CorpusMissing
from marg_corpora.vocabulary import VocabularyReader, vocabulary_at
from marg_runtime import Question, languages
from marg_runtime.errors import LocatedError

from .conftest import SMALL, Small


def test_a_file_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    assert vocabulary_at(str(path)).data["name"] == "Small English"


def test_a_language_names_the_shipped_vocabulary() -> None:
    assert {vocabulary_at(language).language for language in languages()} == set(languages())


def test_neither_file_nor_language_is_refused() -> None:
    with pytest.raises(CorpusMissing, match=r"'nowhere\.toml' is no vocabulary file and no language; languages: "):
        vocabulary_at("nowhere.toml")


def test_a_file_that_is_not_utf8_is_located(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_bytes(SMALL.encode().replace(b'"sure"', b'"s\xfcre"'))
    with pytest.raises(LocatedError, match=r"small\.toml:10: not UTF-8"):
        vocabulary_at(str(path))


def test_a_file_that_does_not_hold_together_is_located(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL.replace('"sure"', '"yes"'), encoding="utf-8")
    with pytest.raises(LocatedError, match=r"small\.toml:10: "):
        vocabulary_at(str(path))


def test_the_reader_reads_with_the_words_of_its_vocabulary(small: Small) -> None:
    reader = VocabularyReader(name="changed", vocabulary=small(('"sure"', '"righto"')))
    kinds = [reader.read(reply, Question(), language="en").kind for reply in ("righto", "sure")]
    assert kinds == ["plain_yes", "content"]


def test_the_reader_does_not_know_another_language(small: Small) -> None:
    verdict = VocabularyReader(name="small", vocabulary=small()).read("yes", Question(), language="de")
    assert (verdict.kind, verdict.has_vocabulary) == ("content", False)
