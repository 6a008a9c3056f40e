"""A question with a row of options to tap."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, Unpack

from marg_runtime.errors import UsageError
from marg_runtime.steps.option import Option, OptionsContext, alike
from marg_runtime.steps.step import OneSlotStep, StepOptions, step_options

OptionSource: TypeAlias = "Sequence[Option] | Callable[[OptionsContext], Awaitable[Sequence[Option]]]"


@dataclass(frozen=True, kw_only=True)
class ChipsStep(OneSlotStep):
    """A step whose value is one of its options: a fixed row, or a coroutine that finds them, with a tool if it must."""

    options: OptionSource

    def __post_init__(self) -> None:
        super().__post_init__()
        check_labels(self.key, self.options)


def check_labels(key: str, options: OptionSource) -> None:
    """Raise UsageError where two options of a fixed row have one label."""
    twice = None if callable(options) else alike(option.label for option in options)
    if twice is not None:
        raise UsageError(f"step {key!r}: two options have the label {twice!r}; nobody could tell them apart")


def chips_step(
    *,
    key: str,
    label: str,
    slot: str,
    lead: str,
    options: OptionSource,
    **others: Unpack[StepOptions],
) -> ChipsStep:
    """A chips step, with the fields of the launch post; `asks_like` as text is compiled to ignore case.

    Raises UsageError for a blank key, label, slot or lead, and for two options of one label.
    """
    return ChipsStep(
        key=key,
        label=label,
        slot=slot,
        lead=lead,
        options=options if callable(options) else tuple(options),
        **step_options(others),
    )
