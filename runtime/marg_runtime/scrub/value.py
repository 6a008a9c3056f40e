"""A JSON value without secrets: the texts in it, and what stands beside the name of a secret, at any depth."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from operator import is_

from marg_runtime.canonical import Json, canonical_json
from marg_runtime.scrub.text import REMOVED, is_secret_name, scrub, secrets_in

_NEVER_A_NUMBER = re.compile(r"passw|passphrase|secret", re.IGNORECASE)


def scrub_json(value: Json, *, secrets: Collection[str] = ()) -> Json:
    """The value without secrets; what has none comes back as the object that it is. Others: mappings as dicts,
    sequences as lists.

    Beside the name of a secret stand the value of its key, the second of two texts in a list (a header), and the
    `value` of an object whose `name` it is.
    """
    match value:
        case str():
            return scrub(value, secrets=secrets)
        case Mapping():
            return _mapping(value, secrets)
        case [str() as name, str() as text] if text and is_secret_name(name):
            return [name, REMOVED]
        case Sequence():
            items = [scrub_json(item, secrets=secrets) for item in value]
            return value if all(map(is_, items, value)) else items
        case _:
            return value


def scrub_together(value: Json, *, secrets: Collection[str] = ()) -> Json:
    """The same of a value that belongs together: what one part of it gives away (`password: ...`) is removed from all
    of it, also where nothing says what it is."""
    clean = scrub_json(value, secrets=secrets)
    if clean is value:
        return value
    return scrub_json(value, secrets={*secrets, *secrets_in(canonical_json(value))})


def _mapping(value: Mapping[str, Json], secrets: Collection[str]) -> Json:
    name = value.get("name")
    named = isinstance(name, str) and is_secret_name(name)
    items = {
        scrub(key, secrets=secrets): _hidden(item, key, secrets=secrets)
        if is_secret_name(key) or (named and key == "value")
        else scrub_json(item, secrets=secrets)
        for key, item in value.items()
    }
    alike = len(items) == len(value) and all(map(is_, items, value)) and all(map(is_, items.values(), value.values()))
    return value if alike else items


def _hidden(value: Json, name: str, *, secrets: Collection[str]) -> Json:
    """What stands beside the name of a secret. What is no text is looked into, for a schema has such names too."""
    if isinstance(value, str):
        return REMOVED if value and value != REMOVED else value
    if isinstance(value, Sequence):
        items = [_hidden(item, name, secrets=secrets) for item in value]
        return value if all(map(is_, items, value)) else items
    if isinstance(value, int | float) and not isinstance(value, bool) and _NEVER_A_NUMBER.search(name):
        return REMOVED
    return scrub_json(value, secrets=secrets)
