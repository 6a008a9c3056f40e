"""What a person can do: say, tap, submit, search, reload.

Every act carries `at`, milliseconds since 1970 in UTC, because the core has no clock; and `seen`, the revision of the
last answer that the person's client displayed (None where the client cannot tell).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from marg_runtime.canonical import well_formed

PageMove = Literal["first", "next", "previous"]


@dataclass(frozen=True, kw_only=True)
class Say:
    """A typed message: its text as it was typed.

    at: when, in milliseconds since 1970 UTC. seen: the revision of the last answer that the client displayed, None
    where it cannot tell.
    """

    text: str
    at: int
    seen: int | None = None


@dataclass(frozen=True, kw_only=True)
class Tap:
    """A tap on an option of a drawn block. It names the question and its revision; what it means lies on the server."""

    question: str
    revision: int
    option: str
    at: int
    seen: int | None = None


@dataclass(frozen=True, kw_only=True)
class Submit:
    """The fields of a drawn block, sent together; `values` maps a field to its text. `options` are the ids of those
    that were chosen together."""

    question: str
    revision: int
    values: Mapping[str, str]
    at: int
    seen: int | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Search:
    """A search in an open picker, or a move to another of its pages. `query` None: the words that it last looked for.

    What the next page is lies on the server, as the meaning of the options does.
    """

    question: str
    revision: int
    query: str | None
    at: int
    page: PageMove = "first"
    seen: int | None = None


@dataclass(frozen=True, kw_only=True)
class Reload:
    """The client lost its page and asks for what is open."""

    at: int
    seen: int | None = None


Act: TypeAlias = Say | Tap | Submit | Search | Reload


def clean(act: Act) -> Act:
    """The act with every text well formed: a client can send half a character, a ledger cannot hold it."""
    match act:
        case Say():
            return replace(act, text=well_formed(act.text))
        case Tap():
            return replace(act, question=well_formed(act.question), option=well_formed(act.option))
        case Submit():
            values = {well_formed(slot): well_formed(text) for slot, text in act.values.items()}
            options = tuple(well_formed(option) for option in act.options)
            return replace(act, question=well_formed(act.question), values=values, options=options)
        case Search():
            query = None if act.query is None else well_formed(act.query)
            return replace(act, question=well_formed(act.question), query=query)
        case Reload():
            return act
