"""The confirmation: the summary of the draft, and the one question whose yes is a write."""

from __future__ import annotations

import re
from dataclasses import dataclass

from marg_runtime.errors import UsageError
from marg_runtime.steps.step import REASK_BUDGET, Policy, check_budget, question_pattern

CONFIRM_KEY = "confirm"
CREATE = "create"
DECLINE = "decline"


@dataclass(frozen=True, kw_only=True)
class ConfirmStep:
    """The last step of every domain: it has no slot, it shows every value that will be sent.

    time_to_live: for how many milliseconds after it was drawn a summary can be confirmed; None is for ever.
    claims_like: a pattern in place of the language's own; a clause of the model's that matches it, and is no question,
    condition or prospect, claims that the record was created.
    """

    label: str
    lead: str
    create_label: str
    decline_label: str
    asks_like: re.Pattern[str] | None = None
    policy: Policy = "whole_message"
    reask_budget: int = REASK_BUDGET
    time_to_live: int | None = None
    claims_like: re.Pattern[str] | None = None

    @property
    def key(self) -> str:
        """Every confirmation has the same key."""
        return CONFIRM_KEY


def confirm_step(
    *,
    label: str,
    lead: str,
    create_label: str = "Create",
    decline_label: str = "Not yet",
    asks_like: str | re.Pattern[str] | None = None,
    policy: Policy = "whole_message",
    reask_budget: int = REASK_BUDGET,
    time_to_live: int | None = None,
    claims_like: str | re.Pattern[str] | None = None,
) -> ConfirmStep:
    """The confirmation.

    `time_to_live` is in milliseconds, for a record whose values do not hold for ever (a quote, a slot held for a
    while): a go-ahead that comes later is refused, and the summary is drawn anew. `claims_like` is matched against a
    clause in folded letters; the usual pattern is that of the domain's language (`marg_runtime.claims`).
    Raises UsageError for a blank lead or option label, for two equal labels, and for a time to live below 1.
    """
    labels = (create_label, decline_label)
    if not lead.strip() or not all(label.strip() for label in labels) or create_label == decline_label:
        raise UsageError(f"a confirmation needs a lead and two different option labels, got {lead!r} and {labels!r}")
    check_budget(CONFIRM_KEY, reask_budget)
    if time_to_live is not None and time_to_live < 1:
        raise UsageError(f"a confirmation's time_to_live is at least 1 millisecond, got {time_to_live!r}")
    return ConfirmStep(
        label=label,
        lead=lead,
        create_label=create_label,
        decline_label=decline_label,
        asks_like=question_pattern(asks_like),
        policy=policy,
        reask_budget=reask_budget,
        time_to_live=time_to_live,
        claims_like=question_pattern(claims_like),
    )
