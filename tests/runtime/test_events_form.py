"""The form of an event shows whatever of it stands on a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from marg_runtime.canonical import Json
from marg_runtime.events.form import form_of


@dataclass(frozen=True, kw_only=True)
class Inner:
    a: int


@dataclass(frozen=True, kw_only=True)
class Outer:
    version: ClassVar[int] = 1
    word: Literal["b", "a"]
    many: tuple[Inner, ...]
    named: Mapping[str, str]
    maybe: int | None
    either: Inner | int
    any: Json


def test_C6_the_form_names_every_field_and_its_type_all_the_way_down() -> None:
    assert form_of(Outer) == {
        "any": "json",
        "either": {"Inner": {"Inner": {"a": "int"}}, "int": "int"},
        "many": {"list of": {"Inner": {"a": "int"}}},
        "maybe": "int | null",
        "named": {"map to": "str"},
        "word": "'a' | 'b'",
    }


def test_C6_the_version_is_no_field() -> None:
    assert "version" not in form_of(Outer)
