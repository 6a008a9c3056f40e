"""A field of a form, and what is wrong with a declaration of one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from marg_runtime.block import FieldType
from marg_runtime.errors import UsageError
from marg_runtime.steps.chips import OptionSource, check_labels
from marg_runtime.steps.whole_date import whole_date

_LIMITED: frozenset[FieldType] = frozenset({"integer", "number", "date"})
_WRITTEN: frozenset[FieldType] = frozenset({"text", "email"})


@dataclass(frozen=True, kw_only=True)
class Field:
    """One slot of a form.

    minimum, maximum: of an integer, a number, or a date (YYYY-MM-DD). max_length: of a text, in characters. pattern: a
    regular expression that the whole text matches. options: of a choice, a fixed row or a coroutine that finds them.
    Raises UsageError for limits that do not belong to the type, and for a choice without options.
    """

    slot: str
    label: str
    type: FieldType = "text"
    required: bool = True
    minimum: int | float | str | None = None
    maximum: int | float | str | None = None
    max_length: int | None = None
    pattern: str | None = None
    options: OptionSource = ()

    def __post_init__(self) -> None:
        if not self.slot.strip() or not self.label.strip():
            raise UsageError(f"a field needs a slot and a label, got {self.slot!r} and {self.label!r}")
        if not callable(self.options):
            object.__setattr__(self, "options", tuple(self.options))
        self._check_limits()
        self._check_text()
        self._check_options()

    def _fault(self, what: str) -> UsageError:
        return UsageError(f"field {self.slot!r} of type {self.type!r}: {what}")

    def _check_limits(self) -> None:
        limits = [limit for limit in (self.minimum, self.maximum) if limit is not None]
        if limits and self.type not in _LIMITED:
            raise self._fault(f"only {', '.join(sorted(_LIMITED))} have a minimum or a maximum, got {limits[0]!r}")
        for limit in limits:
            if not (_is_date(limit) if self.type == "date" else _is_number(limit, whole=self.type == "integer")):
                raise self._fault(f"a limit is a value of the type, not {limit!r}")
        if len(limits) == 2 and sorted(limits, key=_rank) != limits:
            raise self._fault(f"the minimum {self.minimum!r} is above the maximum {self.maximum!r}")

    def _check_text(self) -> None:
        if (self.max_length is not None or self.pattern is not None) and self.type not in _WRITTEN:
            raise self._fault(f"only {', '.join(sorted(_WRITTEN))} have a max_length or a pattern")
        if self.max_length is not None and self.max_length < 1:
            raise self._fault(f"max_length is at least 1, got {self.max_length!r}")
        try:
            re.compile(self.pattern or "")
        except re.error as error:
            raise self._fault(f"the pattern {self.pattern!r} is no regular expression: {error}") from None

    def _check_options(self) -> None:
        found = callable(self.options) or bool(self.options)
        if found != (self.type == "choice"):
            raise self._fault("a choice has options, and nothing else has")
        check_labels(self.slot, self.options)


def _is_date(limit: object) -> bool:
    return isinstance(limit, str) and whole_date(limit) is not None


def _is_number(limit: object, *, whole: bool) -> bool:
    return type(limit) is int or (type(limit) is float and not whole)


def _rank(limit: int | float | str) -> tuple[float, str]:
    # Dates of the one form that is taken are ordered as their texts are.
    return (0.0, limit) if isinstance(limit, str) else (limit, "")
