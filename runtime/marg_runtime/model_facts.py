"""How the runtime's facts travel to a model: as a text of their own, in every API.

They are a part of a user message, since many chat templates refuse a system message that is not the first. The facts
are JSON, so that a value with a line break in it makes no second fact; a user's own words never begin like this.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

FACTS_HEAD = "[facts] Told by the runtime, not by the user:"

_QUOTED = "The user wrote: "


def facts_text(facts: Sequence[str]) -> str:
    """The text that carries these facts."""
    return f"{FACTS_HEAD}\n{json.dumps(list(facts), ensure_ascii=False)}"


def facts_of(text: str) -> tuple[str, ...] | None:
    """The facts that a text carries, or None where it is no such text."""
    head, _, body = text.partition("\n")
    if head != FACTS_HEAD:
        return None
    try:
        facts = json.loads(body)
    except ValueError:
        return None
    if not isinstance(facts, list) or not all(isinstance(fact, str) for fact in facts):
        return None
    return tuple(facts)


def words_text(words: str) -> str:
    """A user's words as they are sent: as they are, but for words that begin as only the runtime's may."""
    return _QUOTED + words if words.lstrip().startswith(FACTS_HEAD.partition(" ")[0]) else words
