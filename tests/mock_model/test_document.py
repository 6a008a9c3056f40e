"""The located YAML reader: what it accepts, and where it says the error is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from marg_mock_model import Plain, parse_document, read_document
from marg_mock_model import document as document_module
from marg_runtime.errors import LocatedError, UsageError

LOADERS = [yaml.CBaseLoader, yaml.BaseLoader]


@pytest.fixture(params=LOADERS, ids=["c", "python"])
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_module, "_LOADER", request.param)


def root(text: str) -> Any:
    return parse_document(text, path="f.yaml").root


def refusal(text: str) -> str:
    with pytest.raises(LocatedError) as caught:
        parse_document(text, path="f.yaml")
    return str(caught.value)


@pytest.mark.usefixtures("_loader")
@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "null", "5", "true", "~", "2026-11-30", "1:30", "0x1F"])
def test_every_unquoted_scalar_stays_its_own_text(word: str) -> None:
    assert root(f"say: {word}\n") == {"say": word}


@pytest.mark.usefixtures("_loader")
@pytest.mark.parametrize(
    ("written", "is_plain"),
    [("yes", True), ("two words", True), ("", True), ("'yes'", False), ('"yes"', False), ("|\n  yes", False)],
)
def test_only_an_unquoted_scalar_is_plain(written: str, is_plain: bool) -> None:
    assert isinstance(root(f"say: {written}\n")["say"], Plain) is is_plain


def test_a_key_with_no_value_is_empty_plain_text() -> None:
    assert root("say:\nto: x\n") == {"say": "", "to": "x"}


@pytest.mark.usefixtures("_loader")
def test_an_explicit_document_start_and_a_byte_order_mark_are_accepted() -> None:
    assert root("\ufeff---\nsay: x\n") == {"say": "x"}


@pytest.mark.usefixtures("_loader")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.yaml:1: the file is empty; write a mapping of keys to values."),
        ("# nothing\n\n", "f.yaml:1: the file is empty; write a mapping of keys to values."),
        ("\n- a\n", "f.yaml:2: a mapping of keys to values is expected here."),
        ("text\n", "f.yaml:1: a mapping of keys to values is expected here."),
        ("a: 1\nb: &x 2\n", "f.yaml:2: the anchor '&x' is not allowed; write the value out."),
        ("a: 1\nb:\n  - *x\n", "f.yaml:3: the alias '*x' is not allowed; write the value out."),
        ("a: 1\n*x : 2\n", "f.yaml:2: the alias '*x' is not allowed; write the value out."),
        (
            "a: !!str 1\n",
            "f.yaml:1: the tag 'tag:yaml.org,2002:str' is not allowed; quote the value to keep it as text.",
        ),
        ("a:\n- !x {}\n", "f.yaml:2: the tag '!x' is not allowed; quote the value to keep it as text."),
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3: the key 'a' stands twice (first at line 1); keep one."),
        ("x:\n  'a': 1\n  a: 3\n", "f.yaml:3: the key 'a' stands twice (first at line 2); keep one."),
        ("a: 1\n---\nb: 2\n", "f.yaml:2: a second document begins; keep one document a file."),
        ("a:\n\tb: 1\n", "f.yaml:2: a tab at the start of 'b: 1'; indent with spaces."),
        ("a: 1\n? [b]\n: 2\n", "f.yaml:2: the key is a list or mapping; a key is text."),
        ("a: 1\nb: \x07\n", "f.yaml:2: the character '\\x07' is not allowed; remove it."),
        ("a: \ud800\n", "f.yaml:1: the character '\\ud800' is not allowed; remove it."),
        ("a:\n " + "[" * 64 + "]" * 64, "f.yaml:2: the file nests deeper than 64 levels; flatten it."),
    ],
)
def test_what_is_outside_the_subset_is_refused_at_its_line(text: str, message: str) -> None:
    assert refusal(text) == message


@pytest.mark.usefixtures("_loader")
@pytest.mark.parametrize(
    ("text", "line"),
    [("a: 1\nb: c: d\n", 2), ("a: [1\n", 2), ("a: 'x\n", 2), ("a:\n b: 1\n  c: 2\n", 3), ("a: `x\n", 1)],
)
def test_broken_yaml_is_refused_at_its_line(text: str, line: int) -> None:
    assert refusal(text).startswith(f"f.yaml:{line}: not YAML: ")


@pytest.mark.usefixtures("_loader")
@pytest.mark.parametrize("escape", ["\\ud800", "\\U00110000"])
def test_an_escape_that_is_no_character_is_refused(escape: str) -> None:
    assert refusal(f'a: "{escape}"\n').startswith("f.yaml:1: not YAML: ")


def test_sixty_four_levels_are_accepted() -> None:
    assert root("a: " + "[" * 63 + "]" * 63).keys() == {"a"}


def test_bad_utf8_is_refused_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes(b"a: 1\nb: \xff\n")
    with pytest.raises(LocatedError, match=r"f.yaml:2: the byte b'\\xff' is not UTF-8; save the file as UTF-8."):
        read_document(file)


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"absent.yaml: cannot be read: No such file or directory"):
        read_document(tmp_path / "absent.yaml")


def test_a_file_is_read_as_its_text_is_parsed(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_text("say: 'schön'\n", encoding="utf-8")
    assert read_document(file) == parse_document("say: 'schön'\n", path=str(file))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("a",), 2),
        (("a", 0), 3),
        (("a", 1), 4),
        (("a", 1, "x"), 4),
        (("a", 1, "y"), 5),
        (("b",), 6),
        (("a", 1, "absent", "deeper"), 4),
        (("absent",), 2),
    ],
)
def test_a_path_has_the_line_of_its_key_or_item_or_nearest_parent(path: tuple[str | int, ...], line: int) -> None:
    text = "# comment\na:\n- one\n- x: 1\n  y:\nb: {c: 1}\n"
    assert parse_document(text, path="f.yaml").line(*path) == line


@given(st.text() | st.text(alphabet="ab:-[]{}?!&*'\"|>#%\n \t,~", max_size=40))
def test_any_text_is_a_document_or_a_located_error(text: str) -> None:
    for loader in LOADERS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(document_module, "_LOADER", loader)
            try:
                line = parse_document(text, path="f.yaml").line()
            except LocatedError as error:
                line = error.line
        # YAML counts other breaks than the newline as the end of a line, too.
        assert 1 <= line <= 1 + sum(map(text.count, "\n\r\x85\u2028\u2029"))


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co"))))
def test_what_is_quoted_stays_text(text: str) -> None:
    written = yaml.dump({"say": text}, default_style='"', allow_unicode=True, width=10**6)
    said = root(written)["say"]
    assert (said, isinstance(said, Plain)) == (text, False)
