"""Formatting: one form, comments kept, nothing that the file says changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marg_mock_model import parse_document
from marg_mock_model.plain import resolve
from marg_runtime.errors import LocatedError
from marg_scenarios import find_kit, find_scenarios
from marg_scenarios.fixtures import find_fixtures
from marg_scenarios.formatting import WIDTH, format_scenario

FOLDERS = [find_kit(name).scenarios for name in ("support_intake", "room_booking")]
SHIPPED = [path for folder in FOLDERS for path in (*find_scenarios(folder), *find_fixtures(folder))]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_shipped_file_says_the_same_once_it_is_formatted_and_is_formatted_once(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    formatted = format_scenario(text, path=str(path))
    assert resolve(parse_document(formatted, path="x").root) == resolve(parse_document(text, path="x").root)
    assert format_scenario(formatted, path=str(path)) == formatted


def formatted(text: str) -> str:
    return format_scenario(text, path="x")


def test_keys_stand_in_the_order_of_the_form() -> None:
    assert formatted("turns:\n- expect: {line: none}\n  say: hi\n  id: a\ntags: [b]\nscenario: s\n") == (
        "scenario: s\ntags: [b]\nturns:\n  - id: a\n    say: hi\n    expect: {line: none}\n"
    )


def test_what_is_short_stands_on_one_line_and_what_is_long_on_several() -> None:
    long = ", ".join(f"slot_{number}: a value of it" for number in range(6))
    text = formatted(f"scenario: s\nturns:\n  - say: hi\n    expect: {{draft: {{{long}}}, model_calls: 1}}\n")
    assert "    expect:\n      draft:\n        slot_0: a value of it\n" in text
    assert max(map(len, text.split("\n"))) <= WIDTH


def test_comments_stay_above_what_they_stood_by() -> None:
    text = "# head\nscenario: s # name\nturns:\n  # first\n  - say: hi # said\n    id: a\n# end\n"
    assert formatted(text) == (
        "# head\n# name\nscenario: s\nturns:\n  # first\n  # said\n  - id: a\n    say: hi\n# end\n"
    )


def test_a_hash_in_a_text_is_no_comment() -> None:
    text = "scenario: 'a # b'\nabout: >-\n  one\n  # two\nturns:\n  - say: hi\n"
    assert formatted(text).startswith('scenario: "a # b"\nabout: "one # two"\n')


@pytest.mark.parametrize("word", ["yes", '"yes"', "5", '"5"', "null", '""', "'a: b'", '"a\\nb"', "true", "{}", "[]"])
def test_a_value_stays_text_or_number_as_it_was_written(word: str) -> None:
    text = f"scenario: s\nturns:\n  - say: hi\n    expect: {{draft: {{title: {word}}}}}\n"
    assert resolve(parse_document(formatted(text), path="x").root) == resolve(parse_document(text, path="x").root)


def test_what_is_no_document_is_refused() -> None:
    with pytest.raises(LocatedError, match="x:2: "):
        formatted("scenario: s\nscenario: t\n")


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"]), max_size=12)


@settings(max_examples=60)
@given(TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=3))
def test_any_text_comes_back(said: str, values: dict[str, str]) -> None:
    tree = {"scenario": said, "turns": [{"say": said, "submit": {"values": values}}]}
    text = json.dumps(tree, ensure_ascii=False)
    assert parse_document(formatted(text), path="x").root == parse_document(text, path="x").root
