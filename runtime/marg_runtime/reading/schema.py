"""Checks a vocabulary file: every key known, every entry text, every error with the file and the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from marg_runtime.errors import LocatedError
from marg_runtime.reading.nearest import nearest
from marg_runtime.reading.question import QUESTION_KINDS

SCHEMA_VERSION = 1
# The order is the order of rank: where two patterns of one table cover the same words, the first role wins,
# and those that make a reply content come first.
CONTENT_ROLES = ("hedge", "change", "question", "digit")
PLAIN_ROLES = (
    "deny",
    "confirm",
    "confirm_alone",
    "praise",
    "satisfied",
    "closing",
    "deferral",
    "calling_off",
    "onward",
    "echo",
    "polite",
    "filler",
)
ROLES = (*CONTENT_ROLES, *PLAIN_ROLES)
DECIDING_ROLES = tuple(role for role in ROLES if role not in ("digit", "echo", "polite", "filler"))
READ_AS = ("confirm", "deny", "filler", "with_deny", "action", "untold", "content")
READABLE_ROLES = ("praise", "satisfied", "closing", "deferral", "calling_off", "onward", "echo")
QUESTION_ROLES = (
    "exempt",
    "lead",
    "choice",
    "twice",
    "open",
    "negative",
    "inverted",
    "stopping",
    "action",
    "replacement",
    "more",
)
ASK_ROLES = ("lead", "statement", "request", "opener")
DIALECTS = tuple(kind for kind in QUESTION_KINDS if kind != "choice")
CHOICE_KEYS = ("ordinals", "last", "filler", "joint")
_TOP = {
    "schema": int,
    "language": str,
    "name": str,
    "spaces": bool,
    "casing": str,
    "noun_suffixes": list,
    "function": list,
    "negators": list,
    "rewrite": dict,
    "lists": dict,
    "actions": dict,
    "all": dict,
    "dialects": dict,
    "question": dict,
    "asks": dict,
    "choice": dict,
}
_REQUIRED = ("schema", "language", "name", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularySource:
    """The text of a vocabulary file and where it came from; finds the line of an entry for an error."""

    path: str
    text: str

    def error(self, message: str, *, near: str = "") -> LocatedError:
        """Return the error to raise, located at the first line that holds `near`."""
        # As a whole word: "a" is not found in "schema".
        word = re.compile(rf"(?<!\w){re.escape(near)}(?!\w)")
        lines = self.text.splitlines()
        found = [number for number, line in enumerate(lines, 1) if near and word.search(line)]
        return LocatedError(message, path=self.path, line=found[0] if found else 1)


def parse_vocabulary(source: VocabularySource) -> dict[str, Any]:
    """Return the checked content of a vocabulary file.

    Raises LocatedError with the file and, where it can be told, the line: a syntax error, an unknown key with its
    nearest known keys, an entry that is no text, one entry twice, one pattern in two roles of a table.
    """
    try:
        data = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as problem:
        raise LocatedError(str(problem), path=source.path, line=_line_in(str(problem))) from problem
    _check_keys(source, data, _TOP, "the file")
    for key, kind in _TOP.items():
        if key in data and type(data[key]) is not kind:
            raise source.error(f"{key!r} must be of type {kind.__name__}, not {data[key]!r}", near=key)
    for key in _REQUIRED:
        if key not in data:
            raise source.error(f"{key!r} is missing; a vocabulary needs {', '.join(_REQUIRED)}")
    if data["schema"] != SCHEMA_VERSION:
        raise source.error(f"schema {data['schema']!r} is unknown; this release reads {SCHEMA_VERSION}", near="schema")
    if data.get("casing", "plain") not in ("plain", "turkic"):
        raise source.error(f"casing {data['casing']!r} is unknown; plain or turkic", near="casing")
    _check_tables(source, data)
    return data


def _check_tables(source: VocabularySource, data: Mapping[str, Any]) -> None:
    for key in ("noun_suffixes", "function", "negators"):
        _check_texts(source, data.get(key, []), key)
    for name, entries in data.get("lists", {}).items():
        _check_texts(source, entries, f"lists.{name}")
    for spelling, words in data.get("rewrite", {}).items():
        if not isinstance(words, str):
            raise source.error(f"rewrite of {spelling!r} must be a text, not {words!r}", near=spelling)
    for name, group in data.get("actions", {}).items():
        _check_roles(source, group, ("verbs", "nouns"), f"actions.{name}", apart=False)
    _check_roles(source, data["all"], ROLES, "all")
    _check_keys(source, data.get("dialects", {}), DIALECTS, "dialects")
    for name, dialect in data.get("dialects", {}).items():
        _check_dialect(source, dialect, f"dialects.{name}")
    _check_roles(source, data.get("question", {}), QUESTION_ROLES, "question")
    _check_roles(source, data.get("asks", {}), ASK_ROLES, "asks")
    _check_choice(source, data.get("choice", {}))


def _check_choice(source: VocabularySource, table: Mapping[str, Any]) -> None:
    _check_keys(source, table, CHOICE_KEYS, "choice")
    for key in ("last", "filler", "joint"):
        _check_texts(source, table.get(key, []), f"choice.{key}")
    for place, group in enumerate(table.get("ordinals", ()), 1):
        _check_texts(source, group, f"choice.ordinals of option {place}")


def _check_dialect(source: VocabularySource, dialect: Mapping[str, Any], where: str) -> None:
    reads = dialect.get("reads", {})
    _check_roles(source, {key: value for key, value in dialect.items() if key != "reads"}, ROLES, where)
    _check_keys(source, reads, READABLE_ROLES, f"{where}.reads")
    for role, read_as in reads.items():
        if read_as not in READ_AS:
            raise source.error(f"{where}.reads.{role}: {read_as!r} is none of {', '.join(READ_AS)}", near=str(read_as))


def _check_roles(
    source: VocabularySource, table: Mapping[str, Any], roles: Iterable[str], where: str, *, apart: bool = True
) -> None:
    """Check a table of lists; with `apart` no entry may stand in two of them."""
    if not isinstance(table, dict):
        raise source.error(f"{where} must be a table, not {table!r}", near=where)
    _check_keys(source, table, roles, where)
    role_of: dict[str, str] = {}
    for role, patterns in table.items():
        _check_texts(source, patterns, f"{where}.{role}")
        for pattern in patterns:
            if role_of.setdefault(pattern, role) != role and apart:
                message = f"{where}: {pattern!r} stands under {role_of[pattern]!r} and under {role!r}"
                raise source.error(message, near=f'"{pattern}"')


def _check_texts(source: VocabularySource, entries: object, where: str) -> None:
    if not isinstance(entries, list):
        raise source.error(f"{where} must be a list of texts, not {entries!r}", near=_key_of(where))
    seen: set[str] = set()
    for entry in entries:
        if not isinstance(entry, str) or not entry.strip():
            raise source.error(f"{where} holds {entry!r}, which is no text", near=str(entry))
        if entry in seen:
            raise source.error(f"{where} holds {entry!r} twice", near=f'"{entry}"')
        seen.add(entry)


def _check_keys(source: VocabularySource, table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    names = tuple(known)
    for key in table:
        if key not in names:
            raise source.error(f"{where} has no key {key!r}; nearest: {nearest(key, names)}", near=key)


def _key_of(where: str) -> str:
    """Return the key that a place in the file ends with ("choice.ordinals of option 1": ordinals)."""
    return where.partition(" ")[0].rpartition(".")[2]


def _line_in(message: str) -> int:
    """Return the line that the TOML parser names in its message."""
    _, found, rest = message.partition("at line ")
    digits = rest.split(",")[0].strip(")") if found else ""
    return int(digits) if digits.isdigit() else 1
