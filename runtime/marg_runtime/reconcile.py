"""How a domain finds out what became of a write whose outcome is unknown: a lookup by idempotency key (rule G9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from marg_runtime.canonical import Json
from marg_runtime.tools.tool import ToolName

IDEMPOTENCY_KEY = "idempotency_key"
LookupStatus = Literal["done", "absent", "unknown"]


@dataclass(frozen=True, kw_only=True)
class Lookup:
    """What a lookup says of a write: it was done (with its receipt), the backend has nothing of that key, or the answer
    does not say."""

    status: LookupStatus
    receipt: Json = None


def _by_key(key: str) -> Mapping[str, Json]:
    return {IDEMPOTENCY_KEY: key}


def read_found(data: Json) -> Lookup:
    """The lookup in an answer of the form `{"found": true, "receipt": {...}}` or `{"found": false}`.

    Only a literal `true` or `false` is believed; anything else leaves the write unknown.
    """
    found = data.get("found") if isinstance(data, Mapping) else None
    if found is True and isinstance(data, Mapping):
        return Lookup(status="done", receipt=data.get("receipt"))
    return Lookup(status="absent" if found is False else "unknown")


@dataclass(frozen=True, kw_only=True)
class Reconcile:
    """The lookup of a domain's backend. It needs a write tool that takes an idempotency key.

    tool: one of the domain's read tools; the model is not offered it. arguments: from the write's idempotency key to
    the arguments of the lookup. read: from the structured part of its answer to what became of the write. A refusal
    and a broken server leave the write unknown, so `read` is not asked about those. So does either of the two where it
    raises, or gives what it should not.
    """

    tool: ToolName
    arguments: Callable[[str], Mapping[str, Json]] = _by_key
    read: Callable[[Json], Lookup] = read_found
