"""When two nodes are the same: equal up to ids, revisions and times, and up to history that nothing can ask for again.

What is left out, and why nothing depends on it:

- messages, their chain, the receipts' names, the facts, what was told and unsent: they are only sent to the model,
  whose replies here do not depend on what it was sent. The oracle judges the facts on every path by itself.
- the counts of questions, drafts and requests: they make ids, or are compared with one another alone.
- what was said: of each phrase that a model can point to, whether it was said, and whether since a step was settled.
- spans and provenance: they tell where a value came from, and nothing reads them again.
- of the blocks that are closed: all but those of `Client.stale`.

Any other field of the state is part of the key as it is; so a new one can split states, and never join two that differ.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any

from marg_runtime.explore.memory import Memory
from marg_runtime.explore.node import Node
from marg_runtime.state import OpenQuestion, State, Write

Key = tuple[Hashable, ...]

HISTORY = frozenset(
    {
        *("messages", "chained", "facts", "telling", "unsent", "session", "domain", "language", "opened", "tools"),
        *("revision", "turn", "at", "questions", "drafts", "requests", "requests_with_rule", "said", "since", "spent"),
        *("acting", "receipts"),
    }
)
OWN = frozenset({"draft", "question", "summary", "write", "queue", "awaiting", "pending", "asked", "absent"})
RUNNING = frozenset({"model_calls", "outcome", "changed"})


_OF_QUESTION = tuple(
    one.name
    for one in fields(OpenQuestion)
    if one.name not in ("drawn", "revision", "opened_in", "delivered_in", "delivered_at", "strayed")
)


@dataclass(kw_only=True)
class Likeness:
    """Makes keys. Equal parts are given one number, so that a key is a short tuple."""

    quotes: tuple[str, ...]
    steps: tuple[str, ...]
    budgets: Mapping[str, int]
    _numbers: dict[Hashable, int] = field(default_factory=dict)
    _parts: dict[int, tuple[Any, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        left = HISTORY | OWN | RUNNING
        self._others = tuple(one.name for one in fields(State) if one.name not in left)
        self._running = tuple(one.name for one in fields(State) if one.name in RUNNING)

    def key(self, node: Node) -> Key:
        """The key of a node: nodes of one key have the same futures."""
        state, memory = node.state, node.memory
        asked = state.asked is not None and state.question is not None and state.asked == state.question.id
        parts: list[Hashable] = [
            asked,
            node.running,
            node.drifted,
            node.waited,
            node.state.turn_open,
            state.requests == state.requests_with_rule,
        ]
        parts.append(self._part(state.draft.values))
        parts.extend(self._part(getattr(state, name)) for name in self._others)
        parts.append(self._question(state.question))
        parts.append(self._said(state))
        parts.append(self._relations(node))
        parts.append(self._client(node))
        parts.append(self._memory(node.memory, state))
        parts.append(tuple(one.kind for one in state.pending))
        if node.running:
            parts.append((node.mood, node.latecomer, tuple(_effect(effect) for effect in node.effects)))
            parts.extend(getattr(state, name) for name in self._running)
            bound = memory.bound.step if memory.bound else None
            parts.append((bound, type(memory.act).__name__, len(state.awaiting)))
        if state.queue:
            parts.append(tuple(self._act(queued.act, node) for queued in state.queue))
        return tuple(parts)

    # Parts

    def _number(self, value: Hashable) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def _part(self, value: Any) -> int:
        """A number for a value; for one that was seen before, by its identity."""
        if value is None or isinstance(value, str | int | frozenset):
            return self._number((type(value).__name__, value))
        known = self._parts.get(id(value))
        if known is None or known[0] is not value:
            known = self._parts[id(value)] = (value, self._number(frozen(value)))
        return known[1]

    def _question(self, question: OpenQuestion | None) -> Hashable:
        if question is None:
            return None
        others = tuple(getattr(question, name) for name in _OF_QUESTION)
        # Only at a text does it lead to more than a line: there the person's own words become an option.
        strayed = min(question.strayed, self.budgets.get(question.step, 0)) if question.drawn.kind == "text" else 0
        others = (*others, strayed)
        return (self._part(question.drawn), question.delivered_in is None, others)

    def _said(self, state: State) -> Hashable:
        """Of each quote and step: never said, said before the step was settled, or since."""
        found: list[int] = []
        since = [state.since.get(step) for step in self.steps]
        for quote in self.quotes:
            last = next((n for n in range(len(state.said) - 1, -1, -1) if quote in state.said[n].casefold()), None)
            found.extend(0 if last is None else 1 if than is not None and last < than else 2 for than in since)
        return (tuple(found), tuple(than is not None for than in since))

    def _relations(self, node: Node) -> Hashable:
        """Which ids are the same, and in what order revisions stand."""
        state, write, question = node.state, node.state.write, node.state.question
        ids = (
            question.id if question else None,
            state.summary.question if state.summary else None,
            node.client.block.question if node.client.block else None,
        )
        drafts = (state.draft.id, state.summary.draft if state.summary else None, write.draft if write else None)
        latest, older = node.client.latest, node.client.older()
        seen = (
            question is not None and latest is not None and latest >= question.revision,
            question is not None and older >= question.revision,
            _displayed_written(write, latest),
            _displayed_written(write, older),
        )
        status = (write.status if write else None, write.again if write else None, state.absent is not None)
        fresh = bool(state.summary and question and state.summary.question == question.id)
        return (_pattern(ids), _pattern(drafts), seen, status, fresh)

    def _client(self, node: Node) -> Hashable:
        block, write = node.client.block, node.state.write
        stale = tuple(
            (what, write is not None and closed.question == write.question) for what, closed in node.client.stale()
        )
        return (block.step if block else None, self._part(block.options) if block else None, stale)

    def _memory(self, memory: Memory, state: State) -> Hashable:
        """Where the oracle's memory says what the state says, it adds nothing; elsewhere it is part of the key."""
        question, summary = state.question, state.summary
        claim = memory.claims.get(memory.draft)
        agrees = (
            (memory.asked.id if memory.asked else None) == (question.id if question else None),
            memory.values.keys() == state.draft.values.keys() and memory.draft == state.draft.id,
            memory.standing == (summary is not None),
            (claim.status if claim else None),
            bool(memory.due),
            memory.ended == state.ended,
            bool(memory.asked and memory.asked.delivered_at is None),
        )
        # What a step was before it was re-opened decides what has to be re-opened with it.
        former = {slot: value for slot, value in memory.former.items() if slot not in memory.values}
        return (agrees, self._number(frozen(former)), frozenset(memory.settled))

    def _act(self, act: Any, node: Node) -> Hashable:
        named = getattr(act, "question", None)
        current = node.state.question.id if node.state.question else None
        said = (getattr(act, "text", None), getattr(act, "option", None))
        return (type(act).__name__, said, named is not None and named == current, act.seen is None)


_LEFT_OUT = ("question", "span", "spans", "provenance", "redraw")


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """The fields of a record that count, or None for what is no record."""
    return tuple(one.name for one in fields(kind) if one.name not in _LEFT_OUT) if is_dataclass(kind) else None


def frozen(value: Any) -> Hashable:
    """A value as something that can be compared and hashed; ids of questions and where words stood are left out."""
    kind: Any = type(value)
    if kind is str or value is None:
        return value  # type: ignore[no-any-return]
    if kind in (bool, int, float):
        # 1, 1.0 and True are equal to Python, and three different values to a backend.
        return (kind.__name__, value)
    if kind is tuple or kind is list:
        return tuple([frozen(item) for item in value])
    names = _names(kind)
    if names is not None:
        return (kind.__name__, *[frozen(getattr(value, name)) for name in names])
    if isinstance(value, Mapping):
        return tuple(sorted((str(name), frozen(item)) for name, item in value.items()))
    return value  # type: ignore[no-any-return]


def _effect(effect: object) -> Hashable:
    return (type(effect).__name__, getattr(effect, "step", None) or str(getattr(effect, "tool", "")))


def _pattern(ids: tuple[object, ...]) -> tuple[int | None, ...]:
    """Which of some ids are equal, whatever they are."""
    first: dict[object, int] = {}
    return tuple(None if one is None else first.setdefault(one, len(first)) for one in ids)


def _displayed_written(write: Write | None, seen: int | None) -> bool:
    """Whether a client that displays this still displays the summary of what has been written since."""
    if write is None or write.done_at is None or seen is None:
        return False
    return write.asked_at <= seen < write.done_at
