"""The review: from the summary to one step that is asked again, and back to a new summary."""

from __future__ import annotations

import re
from dataclasses import dataclass

from marg_runtime.errors import UsageError
from marg_runtime.steps.step import REASK_BUDGET, Policy, check_budget, question_pattern

REVIEW_KEY = "review"
CHANGE = "change"


@dataclass(frozen=True, kw_only=True)
class ReviewStep:
    """A section picker: an option for each step that has ended, and one that leads back to the summary.

    It fills no slot. option_label: the tap on the summary that opens it. back_label: its own last option.
    """

    label: str
    lead: str
    option_label: str
    back_label: str
    asks_like: re.Pattern[str] | None = None
    policy: Policy = "whole_message"
    reask_budget: int = REASK_BUDGET

    @property
    def key(self) -> str:
        """Every review has the same key."""
        return REVIEW_KEY


def review_step(
    *,
    label: str = "Change something",
    lead: str = "What would you like to change?",
    option_label: str = "Change something",
    back_label: str = "Back to the summary",
    asks_like: str | re.Pattern[str] | None = None,
    policy: Policy = "whole_message",
    reask_budget: int = REASK_BUDGET,
) -> ReviewStep:
    """The review of a domain. Raises UsageError for a blank text, or a budget below 1."""
    if not all(text.strip() for text in (label, lead, option_label, back_label)):
        raise UsageError(f"a review needs four texts, got {(label, lead, option_label, back_label)!r}")
    check_budget(REVIEW_KEY, reask_budget)
    return ReviewStep(
        label=label,
        lead=lead,
        option_label=option_label,
        back_label=back_label,
        asks_like=question_pattern(asks_like),
        policy=policy,
        reask_budget=reask_budget,
    )
