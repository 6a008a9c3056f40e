"""Ids of turns: declared, or made from the act as it is written, so that inserting a turn renames no other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marg_mock_model import Document, NodePath
from marg_scenarios.forms.turn_form import ACTS

SEEN_WORDS = ("latest", "previous", "absent")
REVISION = re.compile(r"[0-9]{1,18}")
SLUG_WORDS = 6  # of a turn's text, in the id that is made from it


def is_revision(seen: str) -> bool:
    """Whether a word of `seen` is a revision that a client makes up, and not a turn's id."""
    return REVISION.fullmatch(seen) is not None


def made_id(turn: Mapping[str, Any]) -> str:
    """The id that is made from a turn's act, before any parameter is put in: the same in every row."""
    act = next((name for name in ACTS if name in turn), "turn")
    words = re.findall(r"[a-z0-9]+", _text(act, turn.get(act)).casefold())[:SLUG_WORDS]
    return "-".join((act, *words))


def _text(act: str, value: Any) -> str:
    if act == "submit" and isinstance(value, Mapping):
        return " ".join([*(value.get("values") or ()), *(value.get("choose") or ())])
    if act == "concurrent" and isinstance(value, list):
        return " ".join(made_id(turn) for turn in value if isinstance(turn, Mapping))
    if act in ("reload", "restart"):
        return ""
    if isinstance(value, Mapping):
        return " ".join(str(value[key]) for key in ("option", "question", "step", "query", "page") if key in value)
    return str(value)


def check_ids(document: Document, ids: Mapping[NodePath, str], *, made: frozenset[NodePath]) -> None:
    """Raise LocatedError where two turns have one id, or one is called by a word of `seen`.

    `made` are the places of ids that were made and not declared.
    """
    first: dict[str, NodePath] = {}
    for place, name in ids.items():
        if name in SEEN_WORDS or is_revision(name):
            raise document.error(f"'id' is {name!r}, a word of 'seen'; choose another.", *place, "id")
        other = first.setdefault(name, place)
        if other == place:
            continue
        if place in made and other in made:
            line = document.line(*other)
            raise document.error(
                f"the turn is called {name!r} by what it does, and so is the one at line {line}; give one an 'id'.",
                *place,
            )
        declared = other if place in made else place
        raise document.error(f"'id' is {name!r}, which two turns have; rename one.", *declared, "id")
