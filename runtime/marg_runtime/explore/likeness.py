"""When two nodes are the same: equal up to ids, revisions and times, and up to history that nothing can ask for again.

What is left out, and why nothing depends on it:

- messages, their chain, the receipts' names, the facts, what was told and unsent: they are only sent to the model,
  whose replies here do not depend on what it was sent. The oracle judges the facts on every path by itself.
- the counts of questions, drafts and requests: they make ids, or are compared with one another alone.
- what was said: of each phrase that a model can point to, whether it was said, and whether since a step was settled
  and since the last write.
- the act whose turn it is, once the turn has ended.
- spans and provenance: they tell where a value came from, and nothing reads them again.
- of the blocks that are closed: all but their kinds, for one of them is told from another only as `Client.stale` says.

Any other field of the state is part of the key as it is; so a new one can split states, and never join two that differ.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from marg_runtime.block import Block
from marg_runtime.explore.client import Client
from marg_runtime.explore.memory import Memory
from marg_runtime.explore.node import Node
from marg_runtime.state import OpenQuestion, QueuedAct, State, Write

Key = tuple[Hashable, ...]

HISTORY = frozenset(
    {
        *("messages", "chained", "facts", "telling", "unsent", "session", "domain", "language", "opened"),
        *("revision", "turn", "at", "questions", "drafts", "requests", "requests_with_rule", "said", "since", "spent"),
        *("acting", "receipts", "written_since"),
    }
)
OWN = frozenset({"draft", "question", "summary", "write", "queue", "awaiting", "pending", "asked", "absent"})
RUNNING = frozenset({"model_calls", "outcome", "changed"})


_OF_QUESTION = tuple(
    one.name
    for one in fields(OpenQuestion)
    if one.name not in ("drawn", "revision", "opened_in", "delivered_in", "delivered_at", "strayed")
)
_AS_THEY_ARE = frozenset({str, bool, frozenset, type(None)})  # what a key can hold itself


@dataclass(frozen=True, kw_only=True)
class _Displayed:
    """What a client displays, worked out once: a turn's nodes share their client."""

    client: Client
    latest: int | None
    older: int
    question: str | None
    shows: Hashable
    closed: Hashable
    stale: tuple[tuple[str, Block], ...]


@dataclass(kw_only=True)
class Likeness:
    """Makes keys. Equal parts are given one number, so that a key is a short tuple."""

    quotes: tuple[str, ...]
    steps: tuple[str, ...]
    budgets: Mapping[str, int]
    _values: dict[int, Hashable] = field(default_factory=dict)
    _parts: dict[int, tuple[Any, int]] = field(default_factory=dict)
    _displays: dict[int, _Displayed] = field(default_factory=dict)
    _last: dict[tuple[str, ...], tuple[int | None, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        left = HISTORY | OWN | RUNNING
        self._others = attrgetter("draft.values", *(one.name for one in fields(State) if one.name not in left))
        self._running = attrgetter(*(one.name for one in fields(State) if one.name in RUNNING))
        self._nothing = self._number(frozen({}))

    def key(self, node: Node) -> Key:
        """The key of a node: nodes of one key have the same futures."""
        state, memory = node.state, node.memory
        asked = state.asked is not None and state.question is not None and state.asked == state.question.id
        displayed = self._displayed(node.client)
        parts: list[Hashable] = [
            asked,
            node.running,
            node.drifted,
            node.waited,
            node.state.turn_open,
            state.requests == state.requests_with_rule,
            *[value if type(value) in _AS_THEY_ARE else self._part(value) for value in self._others(state)],
            self._question(state.question),
            self._said(state),
            self._relations(state, displayed),
            self._client(state, displayed),
            self._memory(memory, state),
            tuple([one.kind for one in state.pending]),
        ]
        if node.running:
            parts.append((node.mood, node.latecomer, node.wrote, tuple([_effect(effect) for effect in node.effects])))
            bound = memory.bound.step if memory.bound else None
            parts.append((bound, type(memory.act).__name__, len(state.awaiting)))
        if state.turn_open:
            parts.append((self._running(state), state.asked is None, self._served(state)))
            parts.append(_writes(state.write, state.acting))
        if state.queue:
            parts.append(tuple([self._act(queued.act, state) for queued in state.queue]))
            parts.append(tuple([_writes(state.write, queued) for queued in state.queue]))
        return tuple(parts)

    # Parts

    def _number(self, value: Hashable) -> int:
        """A number for a value: its hash, which is the same in every process that is forked from this one; or, where
        another value has that, the next that is free."""
        number = hash(value)
        while self._values.setdefault(number, value) != value:
            number += 1
        return number

    def _part(self, value: Any) -> int:
        """A number for a value; for one that was seen before, by its identity."""
        if isinstance(value, str | int | float):
            return self._number((type(value).__name__, value))
        known = self._parts.get(id(value))
        if known is None or known[0] is not value:
            known = self._parts[id(value)] = (value, self._number(frozen(value)))
        return known[1]

    def _question(self, question: OpenQuestion | None) -> Hashable:
        if question is None:
            return None
        others = tuple([getattr(question, name) for name in _OF_QUESTION])
        # Only at a text does it lead to more than a line: there the person's own words become an option.
        strayed = min(question.strayed, self.budgets.get(question.step, 0)) if question.drawn.kind == "text" else 0
        others = (*others, strayed)
        return (self._part(question.drawn), question.delivered_in is None, others)

    def _said(self, state: State) -> Hashable:
        """Of each quote and step: never said, said before the step was settled, or since; and the same of the write."""
        found: list[int] = []
        since = [*[state.since.get(step) for step in self.steps], state.written_since]
        for last in self._last_said(state.said):
            found.extend([0 if last is None else 1 if than is not None and last < than else 2 for than in since])
        return (tuple(found), tuple([than is not None for than in since]))

    def _last_said(self, said: tuple[str, ...]) -> tuple[int | None, ...]:
        """For each quote the last message that holds it, or None."""
        if said not in self._last:
            folded = [text.casefold() for text in said]
            self._last[said] = tuple(
                max((n for n, text in enumerate(folded) if quote in text), default=None) for quote in self.quotes
            )
        return self._last[said]

    def _displayed(self, client: Client) -> _Displayed:
        known = self._displays.get(id(client))
        if known is None or known.client is not client:
            block, closed = client.block, client.closed.items()
            known = self._displays[id(client)] = _Displayed(
                client=client,
                latest=client.latest,
                older=client.older(),
                question=block.question if block else None,
                shows=(block.step, self._part(block.options)) if block else None,
                closed=(client.before, frozenset((step, old.kind, bool(old.options)) for step, old in closed)),
                stale=client.stale(),
            )
        return known

    def _relations(self, state: State, displayed: _Displayed) -> Hashable:
        """Which ids are the same, and in what order revisions stand."""
        write, question = state.write, state.question
        ids = (
            question.id if question else None,
            state.summary.question if state.summary else None,
            displayed.question,
        )
        drafts = (state.draft.id, state.summary.draft if state.summary else None, write.draft if write else None)
        latest, older = displayed.latest, displayed.older
        seen = (
            question is not None and latest is not None and latest >= question.revision,
            question is not None and older >= question.revision,
            _displayed_written(write, latest),
            _displayed_written(write, older),
        )
        status = (
            write.status if write else None,
            write.again if write else None,
            _open(write),
            _open(state.absent),
            _displayed_written(state.absent, latest),
            _displayed_written(state.absent, older),
        )
        fresh = bool(state.summary and question and state.summary.question == question.id)
        return (_pattern(ids), _pattern(drafts), seen, status, fresh)

    def _client(self, state: State, displayed: _Displayed) -> Hashable:
        written = state.write_question
        stale = [(what, block.question == written) for what, block in displayed.stale]
        return (displayed.shows, displayed.closed, tuple(stale))

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
        # The tool of the summary that stands, as it was listed then, may be another than the one that is listed now.
        stood = memory.summary.tool if summary is not None and memory.summary else None
        former = {slot: value for slot, value in memory.former.items() if slot not in memory.values}
        of_tool = stood.identity if stood else None
        return (agrees, of_tool, self._number(frozen(former)) if former else self._nothing, frozenset(memory.settled))

    def _served(self, state: State) -> Hashable:
        """What the turn may still need of its act: all of it where it is served after a lookup, and its words where a
        text may be asked anew with them as an option."""
        if state.acting is not None and any(
            one.kind == "tool" and one.key.endswith("-lookup") for one in state.pending
        ):
            return self._act(state.acting.act, state)
        question = state.question
        if question is None or question.drawn.kind != "text" or question.id != state.asked:
            return None
        strayed = question.strayed + (state.outcome is None)
        return state.said[-1] if strayed >= self.budgets[question.step] else None

    def _act(self, act: Any, state: State) -> Hashable:
        """What an act says, and how what it names and had displayed stands to what is open and what was written."""
        named, question, seen = getattr(act, "question", None), state.question, act.seen
        what = self._part(act.__dict__ | {"at": 0, "seen": 0, "question": "", "revision": 0})
        return (
            type(act).__name__,
            what,
            named is not None and question is not None and named == question.id,
            named is not None and named == state.write_question,
            seen is None,
            question is not None and seen is not None and seen >= question.revision,
            _displayed_written(state.write, seen),
            _displayed_written(state.absent, seen),
        )


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


def _open(write: Write | None) -> Hashable:
    """Of a write that may still be found, or tried once more: what its key was tried for."""
    return (write.fingerprint, bool(write.rows)) if write is not None and write.status != "done" else None


def _displayed_written(write: Write | None, seen: int | None) -> bool:
    """Whether a client that displays this still displays the summary of what has been written since, or may be."""
    if write is None or seen is None:
        return False
    return write.asked_at <= seen and (write.done_at is None or seen < write.done_at)


def _writes(write: Write | None, act: QueuedAct | None) -> bool:
    """Whether a write was done behind an act: a takeover of its turn owes the receipt."""
    return write is not None and write.done_at is not None and act is not None and write.done_at > act.revision
