"""Any line is a record or an error that says where and what."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marg_corpora import CorpusError, Record
from marg_corpora.line import parse_line

GOOD = {
    "id": "own-1",
    "source": "own",
    "language": "en",
    "question": "Shall I create the ticket?",
    "question_kind": "confirm",
    "reply": "Yes, but make it urgent",
    "label": "content",
    "why": "carries a change",
    "acts": ["INFORM"],
    "n": 3,
    "conflict": True,
}


def encoded(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def refusal(line: bytes) -> str:
    with pytest.raises(CorpusError) as caught:
        parse_line(line, path="own.jsonl", number=7)
    return str(caught.value)


def test_every_field_of_a_record_is_kept() -> None:
    record = parse_line(encoded(), path="own.jsonl", number=1)
    assert record.model_dump(mode="json") == GOOD


def test_a_line_may_end_in_carriage_return_and_line_feed() -> None:
    assert parse_line(encoded() + b"\r\n", path="own.jsonl", number=1).id == "own-1"


@pytest.mark.parametrize(("key", "default"), [("why", ""), ("acts", ()), ("n", 1), ("conflict", False)])
def test_an_optional_key_has_a_default(key: str, default: object) -> None:
    line = json.dumps({name: value for name, value in GOOD.items() if name != key}).encode()
    assert getattr(parse_line(line, path="own.jsonl", number=1), key) == default


@pytest.mark.parametrize("key", ["id", "source", "language", "question", "question_kind", "reply", "label"])
def test_a_missing_key_is_named_with_file_and_line(key: str) -> None:
    line = json.dumps({name: value for name, value in GOOD.items() if name != key}).encode()
    assert refusal(line).startswith(f"own.jsonl:7: key {key!r} is missing")


def test_an_unknown_label_is_shown_beside_the_known_ones() -> None:
    message = refusal(encoded(label="maybe"))
    assert message.startswith("own.jsonl:7: unknown label 'maybe'; expected ")
    assert "'polar_no'" in message


def test_an_unknown_question_kind_is_refused() -> None:
    assert "unknown question_kind 'quiz'" in refusal(encoded(question_kind="quiz"))


@pytest.mark.parametrize(("key", "value"), [("n", "3"), ("n", 0), ("n", 1.5), ("reply", None), ("conflict", "no")])
def test_a_value_of_the_wrong_type_is_refused_and_shown(key: str, value: object) -> None:
    message = refusal(encoded(**{key: value}))
    assert f"key {key!r}:" in message
    assert message.endswith(f"got {value!r}")


def test_a_long_wrong_value_is_cut_in_the_error() -> None:
    assert len(refusal(encoded(label="x" * 5000))) < 300


def test_a_misspelt_optional_key_is_refused_with_the_nearest() -> None:
    line = json.dumps({**{k: v for k, v in GOOD.items() if k != "conflict"}, "conflct": True}).encode()
    assert refusal(line) == "own.jsonl:7: unknown key 'conflct'; did you mean 'conflict'?"


def test_a_foreign_key_is_let_through() -> None:
    assert parse_line(encoded(annotator="third"), path="own.jsonl", number=1).reply == GOOD["reply"]


@pytest.mark.parametrize("line", [b"", b"\n", b"  \t\r\n"])
def test_a_blank_line_is_refused(line: bytes) -> None:
    assert "the line is blank" in refusal(line)


def test_bad_json_is_refused_with_the_reason() -> None:
    assert refusal(b'{"id": "own-1",').startswith("own.jsonl:7: not JSON: EOF while parsing")


@pytest.mark.parametrize("line", [b"[]", b'"yes"', b"3", b"null"])
def test_json_that_is_no_object_is_refused(line: bytes) -> None:
    assert "a record is a JSON object" in refusal(line)


def test_bytes_that_are_not_utf8_are_refused_with_their_place() -> None:
    line = encoded().replace(b"Yes", b"Y\xe9s")
    assert f"not UTF-8 at byte {line.index(0xE9) + 1}" in refusal(line)


def test_a_lone_surrogate_is_refused() -> None:
    assert "not JSON" in refusal(encoded(reply="\ud800"))


@given(line=st.binary(max_size=200))
def test_any_bytes_are_a_record_or_a_located_error(line: bytes) -> None:
    assert refusal(line).startswith("own.jsonl:7: ")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


OBJECTS = st.dictionaries(st.sampled_from(sorted(GOOD)) | st.text(max_size=8), JSON_VALUES)


@given(changes=OBJECTS)
def test_any_object_near_a_record_is_a_record_or_a_located_error(changes: dict[str, object]) -> None:
    try:
        outcome = parse_line(encoded(**changes), path="own.jsonl", number=7).source
    except CorpusError as error:
        outcome = str(error)
    assert outcome == changes.get("source", "own") or outcome.startswith("own.jsonl:7: ")


@given(reply=st.text(st.characters(exclude_categories=["Cs"])), n=st.integers(1, 10**12))
def test_a_record_survives_the_way_to_json_and_back(reply: str, n: int) -> None:
    record = Record.model_validate({**GOOD, "acts": ("A",), "reply": reply, "n": n})
    assert parse_line(record.model_dump_json().encode(), path="own.jsonl", number=1) == record
