"""Judgements of misreads by a person, by the id of the record: whose fault was it?"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from marg_corpora.corpus_file import read_models
from marg_corpora.errors import CorpusError

Judgement = Literal["reader_error", "arguable", "annotation"]
"""`reader_error`: the label is right and the reading wrong. `arguable`: people would differ. `annotation`: the label is
wrong, or the question that it depends on is not in the record."""
JUDGEMENTS: tuple[Judgement, ...] = get_args(Judgement)


class JudgedRecord(BaseModel):
    """One line of a judgement file: the id of a record, the judgement, and why."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    id: str
    judgement: Judgement
    why: str = ""


def read_judgements(path: Path) -> dict[str, Judgement]:
    """Read a file of judgements, JSON Lines, by the id of the record.

    Raises what `read_records` raises, and CorpusError where an id is judged twice.
    """
    found: dict[str, Judgement] = {}
    for number, judged in enumerate(read_models(path, JudgedRecord), start=1):
        if judged.id in found:
            raise CorpusError(f"{judged.id!r} is judged twice; keep one", path=str(path), line=number)
        found[judged.id] = judged.judgement
    return found
