"""Schemas that are checked once a process while conversations are open."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator, SchemaError

from marg_harness.checked_schemas import schemas_checked_once

WRONG = {"type": "no such type"}


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The schemas that were really checked, in order."""
    seen: list[Any] = []
    before = Draft202012Validator.__dict__["check_schema"]

    def counted(cls: type[Any], schema: Any, *args: Any, **options: Any) -> None:
        seen.append(schema)
        before.__get__(None, cls)(schema, *args, **options)

    monkeypatch.setattr(Draft202012Validator, "check_schema", classmethod(counted))
    return seen


def _schema(name: str) -> dict[str, Any]:
    return {"type": "object", "title": name, "properties": {"id": {"type": "string"}}}


def test_a_right_schema_is_checked_once_over_blocks(checks: list[Any]) -> None:
    for _ in range(3):
        with schemas_checked_once():
            Draft202012Validator.check_schema(_schema("once over blocks"))

    assert checks == [_schema("once over blocks")]


def test_a_schema_of_other_content_is_checked(checks: list[Any]) -> None:
    with schemas_checked_once():
        Draft202012Validator.check_schema(_schema("one"))
        Draft202012Validator.check_schema({**_schema("one"), "required": ["id"]})

    assert len(checks) == 2


def test_a_wrong_schema_is_refused_every_time(checks: list[Any]) -> None:
    with schemas_checked_once():
        for _ in range(2):
            with pytest.raises(SchemaError):
                Draft202012Validator.check_schema(WRONG)

    assert checks == [WRONG, WRONG]


def test_after_the_block_the_check_is_the_librarys_own() -> None:
    before = Draft202012Validator.__dict__["check_schema"]

    with schemas_checked_once(), schemas_checked_once():
        assert Draft202012Validator.__dict__["check_schema"] is not before

    assert Draft202012Validator.__dict__["check_schema"] is before
