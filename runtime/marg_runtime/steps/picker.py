"""One option out of more than a row can hold: looked for with a tool, page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, Unpack

from marg_runtime.steps.option import Option, OptionsContext
from marg_runtime.steps.step import OneSlotStep, StepOptions, step_options

LONGEST_QUERY = 200  # characters of a search; what a person types beyond them is cut off


class SearchContext(OptionsContext, Protocol):
    """What a picker may use to find a page: the draft, the read tools, the words, and which page it is (from 1)."""

    @property
    def query(self) -> str:
        """The words to look for; empty when the picker is first drawn."""
        ...

    @property
    def page(self) -> int:
        """The number of the page, from 1."""
        ...


@dataclass(frozen=True, kw_only=True)
class OptionPage:
    """A page of options, and whether there are more behind it."""

    options: Sequence[Option]
    more: bool = False


PageSource: TypeAlias = Callable[[SearchContext], Awaitable[OptionPage]]


@dataclass(frozen=True, kw_only=True)
class PickerStep(OneSlotStep):
    """A step whose value is an option that a search finds. What an option and a page mean lies on the server."""

    search: PageSource


def picker_step(
    *,
    key: str,
    label: str,
    slot: str,
    lead: str,
    search: PageSource,
    **others: Unpack[StepOptions],
) -> PickerStep:
    """A picker. `search` is called with no words for the first page, then for each search and each page.

    Raises UsageError for a blank key, label, slot or lead.
    """
    return PickerStep(
        key=key,
        label=label,
        slot=slot,
        lead=lead,
        search=search,
        **step_options(others),
    )
