"""Scoring in batches and in several processes gives what scoring in one gives."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from marg_corpora import CorpusError, Plan, RecordReader, ShippedReader, read_records
from marg_corpora.batch import BATCH_LINES, Batch, Trouble, batches_of, score_batch
from marg_corpora.parallel import collect_in_parallel
from marg_corpora.partial import Partial, collect

REPLIES = [("yes", "plain_yes"), ("yes but later", "content"), ("no", "plain_no"), ("what is that?", "content")]
NAMES = ("leading_word", "click_only")
PLAN = Plan(by="label", sides=frozenset({"misread"}), kept=3)


def shipped(names: tuple[str, ...]) -> Sequence[RecordReader]:
    return [ShippedReader(name=name) for name in names]


def line(number: int) -> bytes:
    reply, label = REPLIES[number % len(REPLIES)]
    record = {
        "id": f"own-{number}",
        "source": "own",
        "language": "en",
        "question": "Shall I create it?",
        "question_kind": "confirm",
        "reply": reply,
        "label": label,
        "n": number,
        "conflict": number % 7 == 0,
    }
    return json.dumps(record).encode()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join(line(number) for number in range(1, BATCH_LINES * 2 + 5))))
    return path


def whole(corpus: Path) -> Partial:
    return collect(read_records(corpus), readers=shipped(NAMES), plan=PLAN)


def work(batch: Batch) -> Partial | Trouble:
    return score_batch(batch, readers=NAMES, make_readers=shipped, plan=PLAN)


def test_a_file_is_cut_into_batches_that_know_their_first_line(corpus: Path) -> None:
    assert [(batch.first, len(batch.lines)) for batch in batches_of(corpus)] == [
        (1, BATCH_LINES),
        (BATCH_LINES + 1, BATCH_LINES),
        (2 * BATCH_LINES + 1, 4),
    ]


def test_batches_add_up_to_the_whole(corpus: Path) -> None:
    first, *rest = (work(batch) for batch in batches_of(corpus))
    assert isinstance(first, Partial)
    for part in rest:
        assert isinstance(part, Partial)
        first += part
    assert first == whole(corpus)


def test_two_processes_count_what_one_counts(corpus: Path) -> None:
    batches = batches_of(corpus)
    assert collect_in_parallel(batches, readers=NAMES, make_readers=shipped, plan=PLAN, jobs=2) == whole(corpus)


def test_a_line_that_is_no_record_is_a_trouble_with_its_place() -> None:
    found = work(Batch(path="own.jsonl", first=41, lines=(line(1), b"broken")))
    assert isinstance(found, Trouble)
    assert str(found.error()).startswith("own.jsonl:42: not JSON: ")


def broken_twice() -> Iterator[Batch]:
    yield Batch(path="own.jsonl", first=1, lines=(line(1), b"broken"))
    raise CorpusError("the gzip file breaks off here", path="own.jsonl", line=3)


def test_the_first_trouble_in_order_is_the_one_that_is_raised() -> None:
    with pytest.raises(CorpusError, match=r"own\.jsonl:2: not JSON"):
        collect_in_parallel(broken_twice(), readers=NAMES, make_readers=shipped, plan=PLAN, jobs=2)


def test_a_file_that_breaks_off_is_told_after_its_whole_lines(corpus: Path) -> None:
    corpus.write_bytes(corpus.read_bytes()[:-20])
    with pytest.raises(CorpusError, match="the gzip file breaks off here"):
        collect_in_parallel(batches_of(corpus), readers=NAMES, make_readers=shipped, plan=PLAN, jobs=2)
