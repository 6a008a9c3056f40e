"""The records of the reader's door, and what its import may bring along."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import get_args

import pytest

from marg_runtime import Choice, Question, Reading, ReadToken, read
from marg_runtime.reading.kinds import Polarity, QuestionKind
from marg_runtime.reading.question import POLARITIES, QUESTION_KINDS

QUESTION = Question(text="Shall I?", values=("7 pm",), options=(Choice(label="A", value="a"),))


def test_the_kinds_that_are_checked_are_the_kinds_that_are_typed() -> None:
    assert (get_args(QuestionKind), get_args(Polarity)) == (QUESTION_KINDS, POLARITIES)


@pytest.mark.wheel
def test_importing_the_door_brings_none_of_the_slow_modules() -> None:
    # Each of these costs a good part of the 30 ms that the import may cost.
    slow = ("dataclasses", "inspect", "typing", "re", "json", "hashlib", "tomllib", "collections")
    code = f"import sys; from marg_runtime import Question, read; print([m for m in {slow!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, env=_paths(), check=True)
    assert done.stdout.strip() == "[]"


def _paths() -> dict[str, str]:
    # Without `site`, which imports some of them itself where a package asks it to.
    return {"PYTHONPATH": ":".join(path for path in sys.path if path)}


def test_a_record_does_not_change() -> None:
    with pytest.raises(AttributeError, match="does not change"):
        QUESTION.text = "other"  # type: ignore[misc]


def test_a_record_equals_one_of_the_same_fields_and_has_its_hash() -> None:
    again = Question(text="Shall I?", values=("7 pm",), options=(Choice(label="A", value="a"),))
    assert (again, hash(again)) == (QUESTION, hash(QUESTION))


def test_a_record_differs_from_one_of_another_field() -> None:
    assert QUESTION.replaced(text="Shall we?") != QUESTION


@pytest.mark.parametrize(
    "record", [QUESTION, ReadToken(text="yes", start=0, end=3, token_class="confirm"), read("yes", QUESTION)]
)
def test_a_record_survives_pickling_and_copying(record: object) -> None:
    assert pickle.loads(pickle.dumps(record)) == record == copy.deepcopy(record)


def test_a_record_shows_its_fields() -> None:
    assert repr(Choice(label="A", value="a")) == (
        "Choice(label='A', value='a', synonyms=(), named_by_value=True, counted=True)"
    )


def test_a_field_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="Question has no 'txt'"):
        Question(txt="x")  # type: ignore[call-arg]


def test_a_field_that_is_needed_is_asked_for_by_name() -> None:
    with pytest.raises(TypeError, match="Choice needs 'value'"):
        Choice(label="A")  # type: ignore[call-arg]


def test_fields_go_by_keyword_only() -> None:
    with pytest.raises(TypeError):
        Reading("content")  # type: ignore[call-arg]
