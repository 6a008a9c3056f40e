"""A question with a row of options of which several may be chosen and sent together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from marg_runtime.errors import UsageError
from marg_runtime.steps.chips import OptionSource, check_labels
from marg_runtime.steps.step import OneSlotStep, StepOptions, step_options


@dataclass(frozen=True, kw_only=True)
class MultiChipsStep(OneSlotStep):
    """A step whose value is a list of its options' values, in the order of the options however they were chosen.

    min_choices, max_choices: how many may be chosen; None is all of them. That none is fine is what `required=False`
    says: then the step can be skipped.
    """

    options: OptionSource
    min_choices: int = 1
    max_choices: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_labels(self.key, self.options)
        most = self.max_choices
        if self.min_choices < 1 or (most is not None and most < self.min_choices):
            raise UsageError(
                f"step {self.key!r}: at least 1 choice and at most the most, got {self.min_choices!r} to {most!r}; "
                "a step that may have none is one with required=False"
            )
        if not callable(self.options) and len(self.options) < self.min_choices:
            raise UsageError(
                f"step {self.key!r}: min_choices is {self.min_choices!r}, and there are {len(self.options)} options"
            )

    def most(self, options: int) -> int:
        """How many of so many options may be chosen."""
        return options if self.max_choices is None else min(self.max_choices, options)


def multi_chips_step(
    *,
    key: str,
    label: str,
    slot: str,
    lead: str,
    options: OptionSource,
    min_choices: int = 1,
    max_choices: int | None = None,
    **others: Unpack[StepOptions],
) -> MultiChipsStep:
    """A multi-chips step; `{v}` in `say` are the labels of the chosen options, separated by commas.

    Raises UsageError for a blank key, label, slot or lead, for two fixed options of one label, and for limits that no
    choice of fixed options keeps. Where fewer than `min_choices` are found, all that there are have to be chosen.
    """
    return MultiChipsStep(
        key=key,
        label=label,
        slot=slot,
        lead=lead,
        options=options if callable(options) else tuple(options),
        min_choices=min_choices,
        max_choices=max_choices,
        **step_options(others),
    )
