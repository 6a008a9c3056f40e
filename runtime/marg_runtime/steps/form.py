"""Several typed fields in one block, one slot of the draft each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from marg_runtime.errors import UsageError
from marg_runtime.steps.field import Field
from marg_runtime.steps.step import Part, Step, StepOptions, step_options

_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, kw_only=True)
class FormStep(Step):
    """A step that fills a slot for each field, all at once: nothing settles until every field is good.

    say: the one fact; `{v}` are all values with their labels, `{slot}` is the value of a slot as a person reads it.
    """

    fields: tuple[Field, ...]
    say: str = "{label}: {v}."

    def __post_init__(self) -> None:
        super().__post_init__()
        slots = [field.slot for field in self.fields]
        twice = sorted({slot for slot in slots if slots.count(slot) > 1})
        if not slots or twice:
            raise UsageError(f"form {self.key!r}: it needs fields of different slots, got {slots!r}")

    @property
    def parts(self) -> tuple[Part, ...]:
        """A slot for each field."""
        return tuple(Part(slot=field.slot, label=field.label) for field in self.fields)

    @property
    def required_slots(self) -> tuple[str, ...]:
        """The slots of the fields that cannot be left empty."""
        return tuple(field.slot for field in self.fields if field.required) if self.required else ()

    def fact_of(self, labels: Mapping[str, str]) -> str:
        """The one sentence that the model is told; a value that looks like a place holder stays as it is."""
        listed = ", ".join(f"{field.label}: {labels[field.slot]}" for field in self.fields if field.slot in labels)
        places = {"label": self.label, "v": listed, **{field.slot: labels.get(field.slot, "") for field in self.fields}}
        return _PLACE.sub(lambda match: places.get(match[1], match[0]), self.say)


def form_step(
    *,
    key: str,
    label: str,
    lead: str,
    fields: Sequence[Field],
    **others: Unpack[StepOptions],
) -> FormStep:
    """A form. It is answered by a submit alone: what is typed into the chat is never one of its values (rule S5).

    Raises UsageError for a blank key, label or lead, for no fields, and for two fields of one slot.
    """
    return FormStep(
        key=key,
        label=label,
        lead=lead,
        fields=tuple(fields),
        **step_options(others),
    )
