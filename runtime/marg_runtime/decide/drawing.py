"""What a step's question looks like: its options, its fields, its page, and the ways out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from marg_runtime.block import BlockKind, Page, Selection
from marg_runtime.canonical import Json, canonical_json
from marg_runtime.decide.book import Book
from marg_runtime.domain import SlotStep
from marg_runtime.draft import Value
from marg_runtime.events.step import DrawnField, QuestionDrawn
from marg_runtime.steps.chips import ChipsStep
from marg_runtime.steps.field import Field
from marg_runtime.steps.field_value import typed_text
from marg_runtime.steps.form import FormStep
from marg_runtime.steps.multi_chips import MultiChipsStep
from marg_runtime.steps.option import Option, option_id, quoted
from marg_runtime.steps.picker import PickerStep
from marg_runtime.steps.text import TextStep

_KINDS: dict[type, BlockKind] = {
    ChipsStep: "chips",
    MultiChipsStep: "multi_chips",
    TextStep: "text",
    FormStep: "form",
    PickerStep: "picker",
}


@dataclass(frozen=True, kw_only=True)
class Found:
    """What was found for a question: its options, those of its fields by slot, and its page."""

    options: tuple[Option, ...] = ()
    fields: Mapping[str, tuple[Option, ...]] = field(default_factory=dict)
    page: Page | None = None


def fixed(step: SlotStep) -> Found | None:
    """What a step shows without having to find anything; None where it has to."""
    match step:
        case ChipsStep() | MultiChipsStep():
            return None if callable(step.options) else Found(options=tuple(step.options))
        case FormStep():
            found = any(callable(one.options) for one in step.fields)
            return None if found else Found()
        case PickerStep():
            return None
        case TextStep():
            return Found()


def draw(book: Book, step: SlotStep, found: Found) -> None:
    """Open the question of a step."""
    options = (*found.options, *_ways_out(book, step))
    book.emit(
        QuestionDrawn(
            question=next_id(book, step.key),
            step=step.key,
            kind=_KINDS[type(step)],
            label=step.label,
            lead=step.lead,
            options=options,
            fields=_fields(book, step, found) if isinstance(step, FormStep) else (),
            selection=_selection(book, step, found.options) if isinstance(step, MultiChipsStep) else None,
            page=found.page,
        )
    )


def draw_retry(book: Book, step: SlotStep) -> None:
    """Open the question of a step whose options were not found: they can be looked for again, with a tap."""
    again = Option(label=book.domain.lines.retry_label, value=None, retry=True)
    book.emit(
        QuestionDrawn(
            question=next_id(book, step.key),
            step=step.key,
            kind="chips",
            label=step.label,
            lead=step.lead,
            options=(again, *_ways_out(book, step)),
        )
    )


def next_id(book: Book, step: str) -> str:
    """The id of the next question of a step."""
    return f"{book.state.session}:{step}-{book.state.questions + 1}"


def _selection(book: Book, step: MultiChipsStep, options: tuple[Option, ...]) -> Selection:
    """How many may be chosen; what stood before the step was re-opened is chosen already."""
    former = _former(book, step).get(step.slot)
    before = former.value if former is not None and isinstance(former.value, list) else []
    stood = {canonical_json(value) for value in before}
    chosen = [option_id(n) for n, option in enumerate(options) if canonical_json(option.value) in stood]
    return Selection(least=min(step.min_choices, len(options)), most=step.most(len(options)), chosen=tuple(chosen))


def _fields(book: Book, step: FormStep, found: Found) -> tuple[DrawnField, ...]:
    """The fields, with what stood in them before the step was re-opened."""
    former = _former(book, step)
    return tuple(_drawn(one, found.fields.get(one.slot), former.get(one.slot)) for one in step.fields)


def _drawn(one: Field, found: tuple[Option, ...] | None, former: Value | None) -> DrawnField:
    options = found or (() if callable(one.options) else tuple(one.options))
    typed = typed_text(one, value=former.value, label=former.label, options=options) if former else ""
    return DrawnField(
        slot=one.slot,
        label=one.label,
        type=one.type,
        required=one.required,
        value=typed,
        options=options,
        minimum=None if one.minimum is None else str(one.minimum),
        maximum=None if one.maximum is None else str(one.maximum),
        max_length=one.max_length,
        pattern=one.pattern,
    )


def _ways_out(book: Book, step: SlotStep) -> tuple[Option, ...]:
    """Options beside the step's own: words that stood before are kept with a tap, an optional step is skipped."""
    lines, ways = book.domain.lines, list[Option]()
    kept = _former(book, step).get(step.slot) if isinstance(step, TextStep) else None
    if kept is not None and not _is_problem(book, step.slots[0], kept.value):
        ways.append(Option(label=quoted(lines.keep_label, kept.label), value=kept.value, keep=True))
    if not step.required:
        ways.append(Option(label=lines.skip_label, value=None, skip=True))
    return tuple(ways)


def _former(book: Book, step: SlotStep) -> Mapping[str, Value]:
    return book.state.former.get(step.key, {})


def _is_problem(book: Book, slot: str, value: Json) -> bool:
    """Whether the draft could not be sent because of this value: then it is not offered again."""
    problems = book.domain.validate({**book.state.draft.arguments(), slot: value})
    return any(problem.slot == slot for problem in problems)
