"""What every step has: the fields of the launch post, in Python names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from marg_runtime.errors import UsageError

Policy = Literal["whole_message", "click_only"]


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step: it draws its question, reads the answer, writes one slot, tells the model one fact.

    key: its name; `depends_on` lists the keys of others, and a change of one re-opens this step.
    label: what the summary calls the value. slot: the draft's key. lead: the question, as drawn.
    say: the fact for the model, `{v}` is the value's label. asks_like: a pattern; a sentence of the model's that asks
    and matches it is cut. required: an optional step is asked once and may be skipped.
    policy: whether a typed answer counts (`whole_message`) or a tap alone (`click_only`).
    """

    key: str
    label: str
    slot: str
    lead: str
    say: str = "{label} set to {v}."
    asks_like: re.Pattern[str] | None = None
    depends_on: tuple[str, ...] = ()
    required: bool = True
    policy: Policy = "whole_message"

    def __post_init__(self) -> None:
        for name in ("key", "label", "slot", "lead"):
            if not getattr(self, name).strip():
                raise UsageError(f"a step needs a {name}, got {getattr(self, name)!r} (step {self.key!r})")

    def fact(self, label: str) -> str:
        """The one sentence that the model is told when this step settles."""
        return self.say.replace("{label}", self.label).replace("{v}", label)


def question_pattern(asks_like: str | re.Pattern[str] | None) -> re.Pattern[str] | None:
    """The pattern of a question that a step owns; one given as text ignores case."""
    return re.compile(asks_like, re.IGNORECASE) if isinstance(asks_like, str) else asks_like
