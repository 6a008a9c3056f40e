"""Whether a domain and its write tool fit: what the tool must have, a required step fills; what a step fills, it takes.

A mismatch would show only at the first real write, since with writes off no server ever sees the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from marg_runtime import surroundings
from marg_runtime.canonical import Json
from marg_runtime.domain import RESERVED_SLOTS, Domain, SlotStep
from marg_runtime.errors import UsageError
from marg_runtime.reconcile import IDEMPOTENCY_KEY
from marg_runtime.steps.chips import ChipsStep, OptionSource
from marg_runtime.steps.field import Field
from marg_runtime.steps.form import FormStep
from marg_runtime.steps.multi_chips import MultiChipsStep
from marg_runtime.steps.picker import PickerStep
from marg_runtime.steps.text import TextStep
from marg_runtime.tools.tool import ToolSpec

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
}


def check_fit(domain: Domain, tools: Sequence[ToolSpec]) -> None:
    """Raise UsageError where the domain's write tool is not there, lacks an argument for a slot, requires one that no
    required step fills, or does not take the type of a step's values; or where its lookup is not there."""
    spec = next((spec for spec in tools if spec.tool == domain.write_tool), None)
    if spec is None:
        known = [str(tool.tool) for tool in tools]
        raise UsageError(
            f"domain {domain.name!r}: no server lists the write tool {str(domain.write_tool)!r}"
            f"{_hint(str(domain.write_tool), known)}"
        )
    _check_lookup(domain, spec, tools)
    for fault in _faults(domain, spec):
        raise UsageError(f"domain {domain.name!r}: the write tool {str(spec.tool)!r} {fault}")


def _check_lookup(domain: Domain, write: ToolSpec, tools: Sequence[ToolSpec]) -> None:
    if domain.reconcile is None:
        return
    known = [str(tool.tool) for tool in tools]
    lookup = str(domain.reconcile.tool)
    if lookup not in known:
        raise UsageError(f"domain {domain.name!r}: no server lists the lookup {lookup!r}{_hint(lookup, known)}")
    if not surroundings.takes(write, IDEMPOTENCY_KEY):
        raise UsageError(
            f"domain {domain.name!r}: the write tool {str(write.tool)!r} takes no {IDEMPOTENCY_KEY!r}, by which "
            f"{lookup!r} would look up a write; give the tool one, or leave `reconcile` out"
        )


def _faults(domain: Domain, spec: ToolSpec) -> Iterator[str]:
    properties, required = spec.input_schema.get("properties"), spec.input_schema.get("required")
    # A schema that lists no arguments says nothing about them.
    takes: Mapping[str, Json] = properties if isinstance(properties, Mapping) else {}
    for step in domain.steps if takes else ():
        for slot in step.slots:
            if slot not in takes:
                yield f"takes no {slot!r}, which the step {step.key!r} fills{_hint(slot, list(takes))}"
            else:
                yield from _type_faults(step, slot, takes[slot])
    filled = {slot for step in domain.steps for slot in step.required_slots} | RESERVED_SLOTS
    for name in required if isinstance(required, Sequence) else ():
        if name not in filled:
            yield f"requires {name!r}, which no required step fills{_hint(str(name), sorted(filled))}"


def _type_faults(step: SlotStep, slot: str, taken: Json) -> Iterator[str]:
    """Only a plain type is compared, and only where the step's values are known before it is drawn."""
    name = taken.get("type") if isinstance(taken, Mapping) else None
    types = _TYPES.get(name) if isinstance(name, str) else None
    for value in _known_values(step, slot) if types else ():
        if type(value) not in (types or ()):
            yield f"takes {name} for {slot!r}, and the step {step.key!r} gives {value!r}"


def _known_values(step: SlotStep, slot: str) -> list[Json]:
    """The values of a fixed row of options, or one of the type that a slot gets; none where they are found when the
    step is drawn."""
    match step:
        case ChipsStep():
            return _fixed(step.options)
        case MultiChipsStep():
            return [[]]
        case FormStep():
            return [value for field in step.fields if field.slot == slot for value in _field_values(field)]
        case PickerStep():
            return []
        case TextStep():
            return [[]] if step.many else [""]


def _field_values(field: Field) -> list[Json]:
    given: dict[str, Json] = {"integer": 0, "number": 0.5, "boolean": True}
    return _fixed(field.options) if field.type == "choice" else [given.get(field.type, "")]


def _fixed(options: OptionSource) -> list[Json]:
    return [] if callable(options) else [option.value for option in options]


def _hint(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known) or 'none'}"
