"""What every step has: the fields of the launch post, in Python names."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from marg_runtime.errors import UsageError

Policy = Literal["whole_message", "click_only"]
# After this many replies in a row that answer nothing, the runtime says what can be tapped (a plain "oui" that no
# vocabulary knows would be asked again for ever: coday 993). Three is one misreading, one rephrasing, and one too many.
REASK_BUDGET = 3


class StepOptions(TypedDict, total=False):
    """What every step that fills slots may be made with, as `Step` has it; `asks_like` as text ignores case."""

    say: str
    asks_like: str | re.Pattern[str] | None
    depends_on: Sequence[str]
    required: bool
    policy: Policy
    reask_budget: int


@dataclass(frozen=True, kw_only=True)
class Part:
    """One slot of the draft that a step fills, and what the summary calls it."""

    slot: str
    label: str


@dataclass(frozen=True, kw_only=True)
class Step(ABC):
    """A step: it draws its question, reads the answer, writes its slots, tells the model one fact.

    key: its name; `depends_on` lists the keys of others, and a change of one re-opens this step.
    label: what the step is called. lead: the question, as drawn.
    say: the fact for the model, `{v}` is the value's label. asks_like: a pattern; a sentence of the model's that asks
    and matches it is cut. required: an optional step is asked once and may be skipped.
    policy: whether a typed answer counts (`whole_message`) or a tap alone (`click_only`).
    reask_budget: how many replies may answer nothing before the runtime says what can be tapped.
    """

    key: str
    label: str
    lead: str
    say: str = "{label} set to {v}."
    asks_like: re.Pattern[str] | None = None
    depends_on: tuple[str, ...] = ()
    required: bool = True
    policy: Policy = "whole_message"
    reask_budget: int = REASK_BUDGET

    def __post_init__(self) -> None:
        self._need("key", "label", "lead")
        check_budget(self.key, self.reask_budget)

    def _need(self, *names: str) -> None:
        for name in names:
            if not getattr(self, name).strip():
                raise UsageError(f"a step needs a {name}, got {getattr(self, name)!r} (step {self.key!r})")

    @property
    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The slots that this step fills, in the order of the summary."""

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of those slots."""
        return tuple(part.slot for part in self.parts)

    @property
    def required_slots(self) -> tuple[str, ...]:
        """The slots that are never empty once this step has ended."""
        return self.slots if self.required else ()

    def fact(self, label: str) -> str:
        """The one sentence that the model is told when this step settles."""
        return self.say.replace("{label}", self.label).replace("{v}", label)


@dataclass(frozen=True, kw_only=True)
class OneSlotStep(Step):
    """A step that fills one slot; the summary calls the value what the step is called."""

    slot: str

    def __post_init__(self) -> None:
        super().__post_init__()
        self._need("slot")

    @property
    def parts(self) -> tuple[Part, ...]:
        """The one slot."""
        return (Part(slot=self.slot, label=self.label),)


def step_options(given: StepOptions) -> dict[str, Any]:
    """The options as the fields of a step hold them."""
    held: dict[str, Any] = {**given}
    if "asks_like" in given:
        held["asks_like"] = question_pattern(given["asks_like"])
    if "depends_on" in given:
        held["depends_on"] = tuple(given["depends_on"])
    return held


def question_pattern(asks_like: str | re.Pattern[str] | None) -> re.Pattern[str] | None:
    """The pattern of a question that a step owns; one given as text ignores case."""
    return re.compile(asks_like, re.IGNORECASE) if isinstance(asks_like, str) else asks_like


def check_budget(key: str, budget: int) -> None:
    """Raise UsageError for a budget that would never let a reply pass."""
    if budget < 1:
        raise UsageError(f"step {key!r}: reask_budget is at least 1, got {budget!r}")
