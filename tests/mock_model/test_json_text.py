"""JSON as it comes over the wire: what is read as a value, and what is none."""

from __future__ import annotations

import json

import pytest

from marg_mock_model.endpoint.json_text import json_value


@pytest.mark.parametrize("text", ["NaN", '{"a": [-Infinity]}', "", '{"a": 1', "[" * 100_000, "[" * 101 + "]" * 101])
def test_what_is_no_json_and_what_nests_too_deep_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        json_value(text.encode())


@pytest.mark.parametrize("value", ["[" * 99, [[["[{"]] * 99] * 2, {"a": "é"}])
def test_a_value_is_as_it_was_written(value: object) -> None:
    assert json_value(json.dumps(value)) == json_value(json.dumps(value).encode()) == value
