"""What is read without pydantic is what the form gives; whatever is in doubt is left to the form."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from marg_mock_model import NodePath, Plain, fitting, parse_document, read_document
from marg_mock_model.fitting import Keys, fitting_machine
from marg_mock_model.form import Form
from marg_mock_model.machine_form import MachineForm, SlipForm, StateForm, TransitionForm, UsageForm, WhenForm

SHIPPED = sorted((Path(__file__).parents[2] / "scenarios" / "marg_scenarios").rglob("*.machine.yaml"))

EVERY_KEY = r"""
machine: desk
start: listening
states:
  listening:
    says: the user tells what is wrong
    transitions:
    - when:
        user: hello
        user_matches: "my (?P<thing>\\w+) fails"
        last: user
        facts: [filled, "asked"]
        fact_matches: title
        result_of: search
        result_matches: found
        result_is_error: false
        call: 1
        turn: 0
        last_user_matches: fails
        told: [draft]
        told_matches: draft
        not_told_matches: created
      reply: noted
      calls:
      - propose: {slot: title, value: 12, flag: true, gone: null, deep: [1.5, {of: yes}]}
      - search: {}
      usage: {input: 3, output: 0}
      finish: tool_calls
      to: over
    - {when: {}, data: {ok: true}, to: over}
    - {when: {}, silent: true, to: over}
  over:
    ends: true
slips:
- slip: wrong_tool
  rate: 0.25
  states: [listening]
  when: {user: x}
  text: words
  tool: search
  arguments: {query: 1}
  calls: [{propose: {slot: title}}]
  finish: stop
- {slip: empty}
"""

WRITTEN = (
    "", " ", "x", "null", "~", "true", "True", "yes", "1", "0", "-1", "+1", "01", "1.0", "0.5", ".5", "5e-1", "1e999",
    "1_0", " 1", "1\n", "٣", "nan", "inf", "9" * 5000, "user", "stop", "empty", "refuses", "é",
)  # fmt: skip
HOSTILE: tuple[Any, ...] = (
    *map(Plain, WRITTEN),
    *WRITTEN,
    [], {}, [[]], [{}], {"x": {}}, {"x": Plain("1")}, [Plain("x")], [Plain("x"), []], {"": []}, {"x": {}, "y": {}},
)  # fmt: skip


def every_key() -> dict[str, Any]:
    return dict(parse_document(EVERY_KEY, path="m.yaml").root)


def exactly(value: Any) -> Any:
    """A value in which true is not 1, and a text that was written without quotes is not any text."""
    if isinstance(value, SimpleNamespace):
        return exactly(vars(value))
    if isinstance(value, dict):
        return {key: exactly(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value), [exactly(item) for item in value]
    return type(value), value


def places(node: Any, path: NodePath = ()) -> Iterator[NodePath]:
    yield path
    for key, item in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from places(item, (*path, key))


def put(node: Any, path: NodePath, value: Any) -> Any:
    """The tree with another value at a path."""
    if not path:
        return value
    copy: Any = dict(node) if isinstance(node, dict) else list(node)
    copy[path[0]] = put(node[path[0]], path[1:], value)
    return copy


def without(node: Any, path: NodePath) -> Any:
    parent = node
    for step in path[:-1]:
        parent = parent[step]
    rest = {k: v for k, v in parent.items() if k != path[-1]} if isinstance(parent, dict) else parent[:-1]
    return put(node, path[:-1], rest)


def mappings(root: Any) -> Iterator[tuple[NodePath, dict[str, Any]]]:
    for place in places(root):
        node = root
        for step in place:
            node = node[step]
        if isinstance(node, dict):
            yield place, node


def as_form(root: Any) -> Any:
    """What the form gives; None where it refuses."""
    try:
        return exactly(MachineForm.model_validate(root).model_dump())
    except ValidationError:
        return None


@pytest.mark.parametrize(
    ("keys", "form"),
    [
        (fitting.MACHINE, MachineForm),
        (fitting.STATE, StateForm),
        (fitting.TRANSITION, TransitionForm),
        (fitting.WHEN, WhenForm),
        (fitting.USAGE, UsageForm),
        (fitting.SLIP, SlipForm),
    ],
)
def test_keys_and_defaults_are_those_of_the_form(keys: Keys, form: type[Form]) -> None:
    fields = form.model_fields
    defaults = {name: field.default for name, field in fields.items() if not field.is_required()}
    if "when" in defaults:
        defaults["when"] = WhenForm().model_dump()
    assert set(keys.reads) == set(fields)
    assert keys.needed == {name for name, field in fields.items() if field.is_required()}
    assert exactly(keys.defaults) == exactly(defaults)


def test_a_machine_with_every_key_is_read_as_the_form_reads_it() -> None:
    read = fitting_machine(every_key())
    assert read is not None
    assert exactly(read) == as_form(every_key())


def test_whatever_stands_at_any_place_is_read_as_the_form_reads_it_or_left_to_the_form() -> None:
    root = every_key()
    trees = [put(root, place, value) for place in places(root) for value in HOSTILE]
    trees += [without(root, place) for place in places(root) if place]
    trees += [put(root, place, {**node, "other": "x"}) for place, node in mappings(root)]
    read = [(tree, fitted) for tree in trees if (fitted := fitting_machine(tree)) is not None]
    assert len(read) > len(trees) / 4
    assert [tree for tree, fitted in read if exactly(fitted) != as_form(tree)] == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_every_shipped_machine_is_read_without_the_form(path: Path) -> None:
    assert fitting_machine(read_document(path).root) is not None


def test_an_endpoint_with_a_machine_imports_no_pydantic() -> None:
    code = """
import sys
import marg_harness.cli.mock_serve
from marg_mock_model import load_machine
load_machine(sys.argv[1])
print([name for name in sys.modules if name.startswith("pydantic")])
"""
    command = [sys.executable, "-c", code, str(SHIPPED[-1])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
