"""What a file that does not fit its form is told."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, model_validator

from marg_mock_model import parse_document
from marg_mock_model.form import Absent, Form
from marg_mock_model.free_value import FreeValue
from marg_runtime.errors import LocatedError


class Block(Form):
    block: str
    options: tuple[str, ...] = ()


class Turn(Form):
    say: str
    times: Annotated[int, Field(ge=1)] = 1
    owner: Literal["runtime", "model"] = "runtime"
    check: str | Block = ""
    checks: tuple[str | Block, ...] = ()
    spoken: bool = False
    value: FreeValue = None


class Say(Form):
    say: str


class Tap(Form):
    tap: str
    seen: int | Absent = None


class Script(Form):
    name: str
    turns: Annotated[list[Turn], Field(min_length=1)]
    named: Annotated[dict[str, Turn], Field(default_factory=dict)]
    acts: tuple[Say | Tap, ...] = ()
    always: Literal[True] | Absent = None

    @model_validator(mode="after")
    def _check_length(self) -> Script:
        if len(self.turns) > 2:
            raise ValueError("too many turns; split the script.")
        return self


def complaint(text: str) -> str:
    with pytest.raises(LocatedError) as caught:
        parse_document(text, path="f.yaml").validate(Script)
    return str(caught.value)


def in_turn(*lines: str) -> str:
    """The complaint about a second turn whose first line, `say`, is line 4."""
    return complaint("\n".join(["name: x", "turns:", "- say: a", "- say: b", *(f"  {line}" for line in lines)]))


def test_a_document_that_fits_is_its_form() -> None:
    script = parse_document("name: no\nturns:\n- say: yes\n", path="f.yaml").validate(Script)
    assert script == Script(name="no", turns=[Turn(say="yes")], named={})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["tmes: 2"], "f.yaml:5: unknown key 'tmes' with the value '2'; did you mean 'times'?"),
        (["zzz: 2"], "f.yaml:5: unknown key 'zzz' with the value '2'; known here: 'say', 'times', 'owner', 'check', "
                     "'checks', 'spoken', 'value'."),
        (["times: two"], "f.yaml:5: 'times' is 'two'; expected a whole number."),
        (["times: 0"], "f.yaml:5: 'times' is '0': input should be greater than or equal to 1."),
        (["spoken: maybe"], "f.yaml:5: 'spoken' is 'maybe'; expected true or false."),
        (["checks: x"], "f.yaml:5: 'checks' is 'x'; expected a list."),
        (["owner: modell"], "f.yaml:5: 'owner' is 'modell'; did you mean 'model'?"),
        (["owner: nobody"], "f.yaml:5: 'owner' is 'nobody'; known here: 'runtime', 'model'."),
        (["check: [a]"], "f.yaml:5: 'check' is ['a']; expected text or a mapping."),
        (["check:", "  blok: a"], "f.yaml:6: unknown key 'blok' with the value 'a'; did you mean 'block'?"),
        (["check:", "  options: []"], "f.yaml:5: the key 'block' is missing in 'check'; add it."),
        (["checks:", "- {block: a, optoins: []}"],
         "f.yaml:6: unknown key 'optoins' with the value []; did you mean 'options'?"),
        (["checks:", "- a", "- [b]"], "f.yaml:7: this entry is ['b']; expected text or a mapping."),
    ],
)  # fmt: skip
def test_a_turn_that_does_not_fit_is_told_what_and_where(lines: list[str], message: str) -> None:
    assert in_turn(*lines) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\n", "f.yaml:1: the key 'turns' is missing; add it."),
        ("name: x\nturns: []\n", "f.yaml:2: 'turns' is []; expected 1 or more."),
        ("name: [a]\nturns: [{say: a}]\n", "f.yaml:1: 'name' is ['a']; expected text."),
        ("name: x\nturns:\n- say: a\n- owner: model\n", "f.yaml:4: the key 'say' is missing in this entry; add it."),
        ("name: x\nturns:\n- sya: a\n", "f.yaml:3: unknown key 'sya' with the value 'a'; did you mean 'say'?"),
        (
            "name: x\nturns: [{say: a}]\nnamed:\n  one: {say: a}\n  two:\n    sya: a\n",
            "f.yaml:6: unknown key 'sya' with the value 'a'; did you mean 'say'?",
        ),
    ],
)
def test_a_script_that_does_not_fit_is_told_what_and_where(text: str, message: str) -> None:
    assert complaint(text) == message


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("tap: x, sen: 3", "unknown key 'sen' with the value '3'; did you mean 'seen'?"),
        ("tap: x, seen: y", "'seen' is 'y'; expected a whole number."),
        ("tpa: x, seen: 3", "unknown key 'tpa' with the value 'x'; did you mean 'tap'?"),
        ("say: [x]", "'say' is ['x']; expected text."),
    ],
)
def test_an_entry_of_two_kinds_is_told_about_the_kind_that_was_meant(act: str, message: str) -> None:
    assert complaint(f"name: x\nturns: [{{say: a}}]\nacts:\n- {{{act}}}\n") == f"f.yaml:4: {message}"


def test_a_check_of_the_whole_file_speaks_of_the_file() -> None:
    message = complaint("\nname: x\nturns: [{say: a}, {say: b}, {say: c}]\n")
    assert message == "f.yaml:2: the file: too many turns; split the script."


def test_a_literal_that_is_not_text_is_told_what_is_expected() -> None:
    message = complaint("name: x\nturns: [{say: a}]\nalways: so\n")
    assert message == "f.yaml:3: 'always' is 'so'; expected True."


def test_several_complaints_are_one_paragraph_in_the_order_of_lines() -> None:
    assert in_turn("spoken: so", "times: x") == (
        "f.yaml:5: 'spoken' is 'so'; expected true or false. Also at line 6: 'times' is 'x'; expected a whole number."
    )


def test_more_than_five_complaints_are_counted() -> None:
    text = "name: x\nturns: [{say: a}]\n" + "".join(f"zz{n}: 1\n" for n in range(8))
    assert (complaint(text).count("unknown key"), complaint(text)[-11:]) == (5, "And 3 more.")


Keys = st.sampled_from(
    ["name", "turns", "say", "times", "owner", "check", "checks", "block", "options", "acts", "tap", "x"]
)
Trees = st.recursive(
    st.sampled_from(["a", "1", "true", "model", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(Keys, inner, max_size=4),
)


@given(st.dictionaries(Keys, Trees, max_size=5).filter(bool))
def test_any_tree_fits_or_is_told_where_it_does_not(tree: dict[str, Any]) -> None:
    text = yaml.dump(tree, default_style="'")
    try:
        found = parse_document(text, path="f.yaml").validate(Script).name
    except LocatedError as error:
        found = str(error)
    assert found == tree.get("name") or re.match(r"f\.yaml:\d+: [^\n]+[.?]\Z", found)


def test_a_long_value_is_shortened() -> None:
    assert len(in_turn("times: " + "x" * 5000)) < 250
