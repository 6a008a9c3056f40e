"""The client of a session: what it displayed, which is all that a person can answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from marg_runtime.answer import Answer
from marg_runtime.block import Block
from marg_runtime.evolve import evolve
from marg_runtime.steps.confirm import CONFIRM_KEY


@dataclass(frozen=True, kw_only=True)
class Client:
    """answers: the revisions of the answers it got. block: what the last one drew.

    closed: the last block of each step that is no longer displayed. before: the step of the one closed last.
    forgets: of the closed blocks only the one closed last and the summary are kept.
    """

    answers: tuple[int, ...] = ()
    block: Block | None = None
    closed: Mapping[str, Block] = field(default_factory=dict)
    before: str | None = None
    forgets: bool = False

    def took(self, answer: Answer) -> Client:
        """The client once it displays an answer."""
        closed = self.closed
        if self.block is not None and (answer.block is None or answer.block.question != self.block.question):
            kept = {step: old for step, old in closed.items() if step == CONFIRM_KEY} if self.forgets else closed
            closed = {**kept, self.block.step: self.block}
        before = self.before if closed is self.closed or self.block is None else self.block.step
        return evolve(self, answers=(*self.answers, answer.revision), block=answer.block, closed=closed, before=before)

    def stale(self) -> tuple[tuple[str, Block], ...]:
        """The closed blocks that stand for all: the last summary, the last of the step that is displayed, else the
        last.

        An answer names its question, and a question is open or it is not; so beside what was written and what has the
        same step as the open one, no closed block is told from another.
        """
        here = self.block.step if self.block is not None else None
        asked = {"summary": CONFIRM_KEY, "same step": here}
        if CONFIRM_KEY not in self.closed and here not in self.closed:
            asked["last"] = self.before
        found = {what: self.closed[step] for what, step in asked.items() if step is not None and step in self.closed}
        distinct = {block.question: what for what, block in reversed(found.items())}
        return tuple((what, found[what]) for what in asked if what in distinct.values())

    @property
    def latest(self) -> int | None:
        """The revision of the last answer."""
        return self.answers[-1] if self.answers else None

    def older(self) -> int:
        """The newest answer that came before the block on the screen was drawn, or before the last; 0 for none."""
        bound = self.block.revision if self.block is not None else (self.latest or 0)
        return max((revision for revision in self.answers if revision < bound), default=0)
