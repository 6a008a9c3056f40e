"""Files of judgements."""

from __future__ import annotations

from pathlib import Path

import pytest

from marg_corpora import CorpusError
from marg_corpora.judgement import read_judgements


def store(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_judgements_are_by_id(tmp_path: Path) -> None:
    path = store(tmp_path, '{"id": "a", "judgement": "arguable", "why": "names the item"}')
    assert read_judgements(path) == {"a": "arguable"}


def test_an_unknown_judgement_is_located(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"judged\.jsonl:1: unknown judgement 'fine'"):
        read_judgements(store(tmp_path, '{"id": "a", "judgement": "fine"}'))


def test_a_missing_key_is_named_with_those_of_a_judgement(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="'judgement' is missing; a record needs id, judgement"):
        read_judgements(store(tmp_path, '{"id": "a"}'))


def test_an_id_that_is_judged_twice_is_located(tmp_path: Path) -> None:
    line = '{"id": "a", "judgement": "arguable"}'
    with pytest.raises(CorpusError, match=r"judged\.jsonl:2: 'a' is judged twice"):
        read_judgements(store(tmp_path, line, line))
