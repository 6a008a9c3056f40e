"""Corpus files: plain and gzip, streamed, with every trouble located."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_corpora import CorpusError, CorpusMissing, corpus_files, read_records
from marg_corpora.corpus_file import LONGEST_LINE


def line(number: int) -> bytes:
    record = {
        "id": f"own-{number}",
        "source": "own",
        "language": "en",
        "question": "Anything else?",
        "question_kind": "more",
        "reply": f"no, that was ticket {number}",
        "label": "plain_no",
    }
    return json.dumps(record).encode() + b"\n"


LINES = b"".join(line(number) for number in range(1, 1201))

Store = Callable[[bytes], Path]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    def write(content: bytes, name: str = "own.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def refusal(path: Path) -> str:
    with pytest.raises(CorpusError) as caught:
        list(read_records(path))
    return str(caught.value).removeprefix(str(path))


def test_a_plain_file_is_read_in_order(store: Store) -> None:
    assert [record.id for record in read_records(store(LINES))] == [f"own-{n}" for n in range(1, 1201)]


def test_gzip_is_known_by_its_content_and_not_by_its_name(store: Store) -> None:
    assert sum(1 for _ in read_records(store(gzip.compress(LINES)))) == 1200


def test_gzip_of_two_members_is_read_through(store: Store) -> None:
    content = gzip.compress(line(1)) + gzip.compress(line(2))
    assert [record.id for record in read_records(store(content))] == ["own-1", "own-2"]


def test_the_last_line_needs_no_end(store: Store) -> None:
    assert sum(1 for _ in read_records(store(LINES.rstrip(b"\n")))) == 1200


def test_a_byte_order_mark_is_skipped(store: Store) -> None:
    assert sum(1 for _ in read_records(store(b"\xef\xbb\xbf" + LINES))) == 1200


def test_records_come_before_the_file_is_read_to_its_end(store: Store) -> None:
    path = store(line(1) + b"broken\n")
    assert next(read_records(path)).id == "own-1"


def test_bad_json_is_located(store: Store) -> None:
    assert refusal(store(line(1) + b"broken\n")).startswith(":2: not JSON")


def test_a_blank_line_is_located(store: Store) -> None:
    assert refusal(store(line(1) + line(2) + b"\n" + line(3))).startswith(":3: the line is blank")


@pytest.mark.parametrize("content", [b"", gzip.compress(b"", mtime=0), b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(store: Store, content: bytes) -> None:
    assert refusal(store(content)).startswith(":1: the file is empty")


def test_gzip_that_breaks_off_gives_the_whole_lines_first(store: Store) -> None:
    whole = gzip.compress(LINES)
    records = read_records(store(whole[: len(whole) // 2]))
    assert next(records).id == "own-1"
    with pytest.raises(CorpusError, match=r"own\.jsonl:\d+: the gzip file breaks off here"):
        list(records)


def test_gzip_cut_in_its_header_is_located(store: Store) -> None:
    assert refusal(store(gzip.compress(LINES)[:5])).startswith(":1: the gzip file breaks off")


def test_gzip_with_a_damaged_middle_gives_the_lines_well_before_it(store: Store) -> None:
    lines = b"".join(line(number * 7919) for number in range(1, 8000))
    whole = bytearray(gzip.compress(lines))
    middle = len(whole) // 2
    whole[middle : middle + 40] = b"\xff" * 40
    records = read_records(store(bytes(whole)))
    assert next(records).id == "own-7919"
    with pytest.raises(CorpusError, match=r"own\.jsonl:\d{4}: "):
        list(records)


def test_gzip_whose_checksum_does_not_fit_is_refused(store: Store) -> None:
    whole = bytearray(gzip.compress(line(1)))
    whole[-8] ^= 1
    assert "the gzip file is damaged from about here" in refusal(store(bytes(whole)))


def test_gzip_with_rubbish_behind_it_is_located(store: Store) -> None:
    assert refusal(store(gzip.compress(line(1)) + b"rubbish")).startswith(":2: the gzip file is damaged")


def test_gzip_padded_with_zeros_is_read(store: Store) -> None:
    assert sum(1 for _ in read_records(store(gzip.compress(LINES) + bytes(600)))) == 1200


@given(content=st.binary(max_size=300), packed=st.booleans())
def test_any_bytes_are_records_or_a_located_error(content: bytes, packed: bool) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "any.jsonl")
        path.write_bytes(gzip.compress(content) if packed else content)
        assert refusal(path).startswith(":")


@given(cut=st.integers(1, len(gzip.compress(LINES)) - 1))
def test_gzip_cut_anywhere_gives_records_and_then_a_located_error(cut: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "cut.jsonl")
        path.write_bytes(gzip.compress(LINES)[:cut])
        assert refusal(path).startswith(":")


def test_an_endless_line_is_refused_and_not_kept(store: Store) -> None:
    content = gzip.compress(b" " * (LONGEST_LINE + 10), compresslevel=1)
    assert refusal(store(content)).startswith(":1: the line is longer than 16 MiB")


def test_the_watcher_sees_the_bytes_of_the_file_grow_to_its_size(store: Store) -> None:
    path, seen = store(gzip.compress(LINES)), list[int]()
    assert sum(1 for _ in read_records(path, watch=seen.append)) == 1200
    assert seen == sorted(seen)
    assert seen[-1] == path.stat().st_size


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_without_telling_its_place(tmp_path: Path) -> None:
    path, seen = tmp_path / "pipe", list[int]()
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(LINES,))
    writer.start()
    assert sum(1 for _ in read_records(path, watch=seen.append)) == 1200
    writer.join()
    assert seen == []


def test_a_reader_that_stops_early_closes_the_file(store: Store) -> None:
    records = read_records(store(LINES))
    assert len(list(islice(records, 3))) == 3
    records.close()  # type: ignore[attr-defined]


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissing, match="nowhere"):
        list(read_records(tmp_path / "nowhere.jsonl"))


def test_a_folder_stands_for_its_corpora_in_order_of_name(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl.gz", "a.second.jsonl", "notes.md"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in corpus_files((tmp_path,))] == ["a.jsonl.gz", "b.jsonl"]


def test_a_folder_without_corpora_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissing, match=r"holds no NAME\.jsonl or NAME\.jsonl\.gz"):
        corpus_files((tmp_path,))


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusMissing, match="there is no file"):
        corpus_files((tmp_path / "nowhere.jsonl",))


def test_a_file_named_twice_is_refused(store: Store) -> None:
    path = store(LINES)
    with pytest.raises(CorpusMissing, match="named twice"):
        corpus_files((path, path.parent))
