"""A domain: what is created, by which steps, through which tool, under which rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from marg_runtime.canonical import Json, digest
from marg_runtime.cutter import Owned
from marg_runtime.errors import UsageError
from marg_runtime.lines import Lines
from marg_runtime.reconcile import IDEMPOTENCY_KEY as IDEMPOTENCY_KEY
from marg_runtime.reconcile import Reconcile
from marg_runtime.steps.chips import ChipsStep
from marg_runtime.steps.confirm import CONFIRM_KEY, ConfirmStep
from marg_runtime.steps.form import FormStep
from marg_runtime.steps.multi_chips import MultiChipsStep
from marg_runtime.steps.option import alike
from marg_runtime.steps.picker import PickerStep
from marg_runtime.steps.review import REVIEW_KEY, ReviewStep
from marg_runtime.steps.text import TextStep
from marg_runtime.tools.tool import ToolName

CONFIRMED = "confirmed"
# Arguments that are the runtime's own: a slot of that name would let a draft confirm itself.
RESERVED_SLOTS = frozenset({CONFIRMED, IDEMPOTENCY_KEY})

SlotStep: TypeAlias = ChipsStep | MultiChipsStep | TextStep | FormStep | PickerStep
QuestionStep: TypeAlias = SlotStep | ConfirmStep | ReviewStep


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Why a draft cannot be sent: the slot, and a sentence for the user."""

    slot: str
    text: str


def _no_problems(values: Mapping[str, Json]) -> tuple[Problem, ...]:
    return ()


def receipt_text(data: Json) -> str:
    """The receipt's id where it has one, else nothing that could be wrong."""
    identity = data.get("id") if isinstance(data, Mapping) else None
    return str(identity) if identity is not None else "done"


@dataclass(frozen=True, kw_only=True)
class Domain:
    """A domain. Raises UsageError where it does not hold together.

    skill: the skill text that the model is sent; it must contain `rule`, the sentence that forbids the model to write
    before the confirmation (gate layer 1). read_tools: the tools that only read; every other tool is a write, and
    `write_tool` is the one write that the runtime dispatches. validate: what is wrong with the values, beyond the
    steps. reconcile: how an unknown write is looked up; without it, it stays unknown and is shown to be. receipt: what
    a receipt's data is called when it is told. review: the way from the summary to one step that is asked again.
    """

    name: str
    skill: str
    rule: str
    steps: tuple[SlotStep, ...]
    confirm: ConfirmStep
    write_tool: ToolName
    read_tools: frozenset[ToolName] = frozenset()
    language: str = "en"
    review: ReviewStep | None = None
    validate: Callable[[Mapping[str, Json]], tuple[Problem, ...]] = _no_problems
    reconcile: Reconcile | None = None
    receipt: Callable[[Json], str] = receipt_text
    lines: Lines = field(default_factory=Lines)

    def __post_init__(self) -> None:
        if not self.rule.strip() or self.rule not in self.skill:
            raise UsageError(f"domain {self.name!r}: the skill text does not contain the rule {self.rule!r}; add it")
        if self.write_tool in self.read_tools:
            raise UsageError(f"domain {self.name!r}: {str(self.write_tool)!r} is both the write and a read tool")
        if self.reconcile is not None and self.reconcile.tool not in self.read_tools:
            raise UsageError(
                f"domain {self.name!r}: the lookup {str(self.reconcile.tool)!r} is no read tool; add it to read_tools"
            )
        self._check_steps()
        self._check_labels()

    def _check_labels(self) -> None:
        """Nobody could tell two options of one block apart."""
        skip = self.lines.skip_label
        rows = {
            step.key: [option.label for option in step.options] + ([] if step.required else [skip])
            for step in self.steps
            if isinstance(step, ChipsStep | MultiChipsStep) and not callable(step.options)
        }
        rows[CONFIRM_KEY] = [self.confirm.create_label, self.confirm.decline_label]
        if self.review is not None:
            rows[CONFIRM_KEY].append(self.review.option_label)
            rows[REVIEW_KEY] = [*(step.label for step in self.steps), self.review.back_label]
        for key, labels in rows.items():
            twice = alike(labels)
            if twice is not None:
                raise UsageError(
                    f"domain {self.name!r}: two options of {key!r} have the label {twice!r}; "
                    "nobody could tell them apart: give each a label of its own"
                )

    def _check_steps(self) -> None:
        keys: set[str] = {CONFIRM_KEY, REVIEW_KEY}
        slots: set[str] = set()
        for step in self.steps:
            for slot in step.slots:
                if step.key in keys or slot in slots:
                    raise UsageError(f"domain {self.name!r}: step {step.key!r} repeats a key or the slot {slot!r}")
                if slot in RESERVED_SLOTS:
                    raise UsageError(
                        f"domain {self.name!r}: step {step.key!r} has the slot {slot!r}, which is the runtime's"
                    )
                slots.add(slot)
            unknown = sorted(set(step.depends_on) - (keys - {CONFIRM_KEY, REVIEW_KEY}))
            if unknown:
                raise UsageError(
                    f"domain {self.name!r}: step {step.key!r} depends on {unknown[0]!r}, which is no earlier step"
                )
            keys.add(step.key)

    def step(self, key: str) -> SlotStep | None:
        """The step of a key, or None."""
        return self._steps.get(key)

    @cached_property
    def _steps(self) -> Mapping[str, SlotStep]:
        return {step.key: step for step in self.steps}

    def asking(self, key: str) -> QuestionStep | None:
        """Whatever asks under that key: a step, the confirmation, the review, or None."""
        if key == CONFIRM_KEY:
            return self.confirm
        return self.review if key == REVIEW_KEY else self.step(key)

    def slot_step(self, slot: str) -> SlotStep | None:
        """The step that owns a slot, or None."""
        return next((step for step in self.steps if slot in step.slots), None)

    @cached_property
    def owned_questions(self) -> tuple[Owned, ...]:
        """The questions that only the runtime asks, as the cutter knows them in the model's text (rule S4).

        Steps whose time has not come are among them, beyond the rule: the answer to such a question could settle
        nothing.
        """
        asking: list[QuestionStep | None] = [*self.steps, self.confirm, self.review]
        return tuple(Owned(step=step.key, pattern=step.asks_like) for step in asking if step and step.asks_like)

    @cached_property
    def proposes_lists(self) -> bool:
        """Whether a step has a list that the model may propose items of."""
        return any(isinstance(step, TextStep) and step.many and step.proposable for step in self.steps)

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that the steps fill, in order."""
        return tuple(slot for step in self.steps for slot in step.slots)

    def dependants(self, key: str) -> tuple[SlotStep, ...]:
        """The steps that depend on a step, through chains, in the domain's order."""
        reached = {key}
        found: list[SlotStep] = []
        for step in self.steps:
            if reached & set(step.depends_on):
                reached.add(step.key)
                found.append(step)
        return tuple(found)

    @property
    def skill_digest(self) -> str:
        """The digest of the skill text."""
        return digest(self.skill)
