"""Schemas that are checked once a process, and not once a conversation.

The MCP client checks the schema of what a tool gives before it checks what the tool gave: once for each connection.
Every conversation of a replay has a connection of its own, to a server with the same few schemas; so that check was a
tenth of a replay. What a tool gave is checked each time, as ever, and so is a schema that was found wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from marg_harness.patched import Patched, Undo
from marg_runtime.canonical import canonical_json

MOST_KEPT = 1024

_fine: set[str] = set()


def schemas_checked_once() -> AbstractContextManager[None]:
    """Take a schema as checked where one of the same content was found right before, while the block runs.

    That is so for JSON Schema 2020-12, which a schema has that names no other; where jsonschema is not installed there
    is nothing to do.
    """
    return _patched.block()


def _note() -> Sequence[Undo]:
    """Put a note-taker before the check."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        return ()
    before = Draft202012Validator.__dict__["check_schema"]

    def check_schema(cls: type[Any], schema: Mapping[str, Any] | bool, *args: Any, **options: Any) -> None:
        text = None if args or options or cls is not Draft202012Validator else _text(schema)
        if text is not None and text in _fine:
            return
        before.__get__(None, cls)(schema, *args, **options)
        if text is not None:
            if len(_fine) >= MOST_KEPT:
                _fine.clear()
            _fine.add(text)

    _put(Draft202012Validator, classmethod(check_schema))
    return (lambda: _put(Draft202012Validator, before),)


_patched = Patched(_note)


def _put(owner: type[Any], check: object) -> None:
    owner.check_schema = check


def _text(schema: Any) -> str | None:
    """What a schema is known by; None for one that is no JSON."""
    try:
        return canonical_json(schema)
    except (TypeError, ValueError):
        return None
