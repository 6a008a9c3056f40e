"""What a file that does not fit its form is told."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field

from marg_mock_model import Form, FreeValue, parse_document
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


class Script(Form):
    name: str
    turns: Annotated[list[Turn], Field(min_length=1)]
    named: Annotated[dict[str, Turn], Field(default_factory=dict)]


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


def test_several_complaints_are_one_paragraph_in_the_order_of_lines() -> None:
    assert in_turn("spoken: so", "times: x") == (
        "f.yaml:5: 'spoken' is 'so'; expected true or false. Also at line 6: 'times' is 'x'; expected a whole number."
    )


def test_more_than_five_complaints_are_counted() -> None:
    text = "name: x\nturns: [{say: a}]\n" + "".join(f"zz{n}: 1\n" for n in range(8))
    assert (complaint(text).count("unknown key"), complaint(text)[-11:]) == (5, "And 3 more.")


def test_a_long_value_is_shortened() -> None:
    assert len(in_turn("times: " + "x" * 5000)) < 250
