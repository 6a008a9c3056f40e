"""One move more: the same `decide` and `fold` that a session runs, with results that are made up on the spot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from marg_runtime.acts import Act
from marg_runtime.answer import project
from marg_runtime.decide import decide
from marg_runtime.decide.book import place
from marg_runtime.effects import ActStarted, CallModel, Delivered, DispatchWrite, Effect, Stimulus, TakenOver
from marg_runtime.events.event import Event
from marg_runtime.events.turn import ActQueued, SessionOpened
from marg_runtime.evolve import evolve
from marg_runtime.explore.client import Client
from marg_runtime.explore.memory import Memory
from marg_runtime.explore.model import Voice, next_mood
from marg_runtime.explore.move import Move, Trail
from marg_runtime.explore.node import Node
from marg_runtime.explore.oracle import Oracle
from marg_runtime.explore.person import Person
from marg_runtime.explore.violation import Violation
from marg_runtime.explore.world import World
from marg_runtime.fold import apply
from marg_runtime.ledger import Entry
from marg_runtime.state import State
from marg_runtime.surroundings import pin

SESSION = "scenario"  # as a replay calls it, so that the ids of questions are the same
STARTED_AT = 1_767_225_600_000  # 2026-01-01T00:00:00Z in milliseconds
TICK = 1_000  # milliseconds between two acts


@dataclass(frozen=True, kw_only=True)
class Played:
    """What a move led to: the node, the entries that it added, the rules that it broke.

    decided: how often `decide` was asked.
    """

    node: Node
    entries: tuple[Entry, ...]
    violations: tuple[Violation, ...]
    decided: int


@dataclass(frozen=True, kw_only=True)
class Play:
    """Everything that can happen next in a session."""

    person: Person
    voice: Voice
    world: World
    oracle: Oracle

    def start(self, node: Node) -> Played:
        """A session that is opened, or opened anew with the tools as they are now."""
        domain = self.world.domain
        opened = SessionOpened(
            session=SESSION,
            domain=domain.name,
            language=domain.language,
            reader=self.world.reader,
            vocabulary_digest="",
            skill_digest=domain.skill_digest,
            tools=tuple(pin(spec) for spec in self.world.tools(drifted=node.drifted)),
        )
        return self._put(node, (opened,), at=node.state.at or STARTED_AT)

    def retrace(self, moves: Sequence[Move]) -> Iterator[Node]:
        """The nodes before each of the moves of a path that this play has found."""
        node = self.begin()
        for move in moves:
            # A delivery is no move of anybody's, so it stands on no path.
            while (after := self._after(node, move)) is None:
                node = next(played.node for played in self.moves(node) if played.node.trail is node.trail)
            yield node
            node = after

    def _after(self, node: Node, move: Move) -> Node | None:
        """The node that a move leads to, or None where it cannot be made yet."""
        if node.rests:
            return self.act(node, move).node
        made = (played.node for played in self.moves(node) if played.node.trail is not node.trail)
        return next((one for one in made if one.trail is not None and one.trail.move == move), None)

    def begin(self) -> Node:
        """A session that has just been opened for the first time."""
        client = Client(forgets=self.person.narrow)
        return self.start(Node(state=State(), client=client, memory=Memory())).node

    def moves(self, node: Node) -> Iterator[Played]:
        """Every move at a node, played."""
        if node.running:
            yield from self._running(node)
        elif node.state.queue:
            yield self._serve(node, Move(who="worker", letter="the act that waits is served"))
        else:
            for move in self._acts(node):
                yield self.act(node, move)

    @property
    def time_to_live(self) -> int:
        """Of the domain's summary, in milliseconds; 0 where it lives for ever."""
        return self.world.domain.confirm.time_to_live or 0

    def _acts(self, node: Node) -> Iterator[Move]:
        at = node.state.at + TICK + (self.time_to_live if node.waited else 0)
        yield from self.person.moves(node.client, revision=node.state.revision, at=at)
        # Elsewhere they change nothing: the tool is taken for the summary, and opening voids the summary.
        about_to_write = node.state.summary is not None or self.person.thorough
        if about_to_write and not node.drifted:
            yield Move(who="world", letter="the write tool changes", tool=self.world.domain.write_tool.name)
        if about_to_write and self.time_to_live and not node.waited:
            yield Move(who="world", letter="the summary's time to live passes", detail=str(self.time_to_live))
        if about_to_write or node.drifted:
            yield Move(who="world", letter="the session is opened anew")

    def act(self, node: Node, move: Move) -> Played:
        """An act of the person's or a change of the world's, at a node that rests."""
        node = evolve(node, trail=Trail(move=move, before=node.trail))
        if move.act is None:
            if move.letter == "the write tool changes":
                return Played(node=evolve(node, drifted=True), entries=(), violations=(), decided=0)
            if move.letter == "the summary's time to live passes":
                return Played(node=evolve(node, waited=True), entries=(), violations=(), decided=0)
            return self.start(node)
        node = evolve(node, waited=False)
        queued = self._queue(node, [act for act in (move.act, move.second) if act is not None])
        served = self._serve(queued.node, None)
        return Played(
            node=served.node,
            entries=(*queued.entries, *served.entries),
            violations=(*queued.violations, *served.violations),
            decided=served.decided,
        )

    def _queue(self, node: Node, acts: Sequence[Act]) -> Played:
        return self._put(node, tuple(ActQueued(act=act) for act in acts), at=acts[0].at)

    def _serve(self, node: Node, move: Move | None) -> Played:
        """Begin the turn of the first act that waits; a turn that was left unfinished is taken over first."""
        if move is not None:
            node = evolve(node, trail=Trail(move=move, before=node.trail))
        before: tuple[Violation, ...] = ()
        entries: tuple[Entry, ...] = ()
        decided = 1
        if node.state.turn_open:
            taken = self._decide(node, TakenOver())
            node, before, entries, decided = taken.node, taken.violations, taken.entries, 2
        # An act that waited lets no third one come late, or a turn would never end.
        mood = "free" if move is None or self.person.thorough else "second"
        node = evolve(node, turn=(), mood=mood, running=True, latecomer=move is not None)
        begun = self._decide(node, ActStarted(queued=node.state.queue[0]))
        return Played(
            node=begun.node,
            entries=(*entries, *begun.entries),
            violations=(*before, *begun.violations),
            decided=decided,
        )

    # While a turn runs

    def _running(self, node: Node) -> Iterator[Played]:
        if not node.effects:
            yield self._deliver(node)
            if not node.latecomer and not node.state.queue:
                yield from self._late(node)
        else:
            effect = node.effects[0]
            rest = evolve(node, effects=node.effects[1:])
            if isinstance(effect, CallModel):
                for move in self.voice.moves(node.mood):
                    assert move.reply is not None, "a move of the model's is a reply"
                    heard = self.world.heard(effect, move.reply)
                    yield self._decide(_on(rest, move, mood=next_mood(node.mood, move)), heard)
            else:
                for outcome in self.world.outcomes(effect):
                    yield self._decide(_on(rest, outcome.move), outcome.stimulus)
        if self._may_die(node):
            yield self._die(node)

    def _may_die(self, node: Node) -> bool:
        """Whether a death here leaves something that no other does.

        A death while the model is called for a second time leaves what a death before the delivery does; one before the
        delivery leaves nothing where no question is new and nothing was written; and one in the turn of an act that had
        waited leaves what it leaves in the turn of that act alone.
        """
        if self.person.thorough:
            return True
        if node.latecomer:
            return False
        if self.person.narrow:
            return any(isinstance(effect, DispatchWrite) for effect in node.effects) or node.wrote
        if node.effects:
            return node.mood == "free" or not isinstance(node.effects[0], CallModel)
        new = node.state.question is not None and node.state.question.delivered_in is None
        return new or node.wrote

    def _late(self, node: Node) -> Iterator[Played]:
        question = node.state.question
        if question is None or question.delivered_in is not None:
            return
        for move in self.person.late(question.drawn, revision=node.state.revision, at=node.state.at + TICK):
            assert move.act is not None, "an act that comes late is an act"
            yield self._queue(_on(node, move, latecomer=True), [move.act])

    def _die(self, node: Node) -> Played:
        """The worker dies: the turn stays open, and nothing of what was to be run is known to have happened."""
        letter = f"dies with {type(node.effects[0]).__name__} pending" if node.effects else "dies before the delivery"
        tool = getattr(node.effects[0], "tool", None) if node.effects else None
        move = Move(who="worker", letter=letter, tool=tool.name if tool else None)
        dead = _on(node, move, effects=(), running=False)
        return Played(node=dead, entries=(), violations=(), decided=0)

    def _deliver(self, node: Node) -> Played:
        played = self._decide(node, Delivered())
        done = played.node
        answer = project(done.turn, state=done.state)
        rested = evolve(done, client=done.client.took(answer), running=False, turn=())
        return evolve(played, node=rested)

    # The core

    def _decide(self, node: Node, stimulus: Stimulus) -> Played:
        surroundings = self.world.surroundings(drifted=node.drifted)
        try:
            decision = decide(node.state, stimulus, surroundings=surroundings)
        except Exception as error:
            # What a domain or the core raises ends the turn of a real session, so it is found like any broken rule.
            raised = Violation(rule="nothing raises", seen=f"{type(error).__name__}: {error}", event="")
            return Played(node=node, entries=(), violations=(raised,), decided=1)
        node = evolve(node, effects=(*node.effects, *decision.effects), state=decision.state)
        return self._judged(node, decision.entries, decision.effects, decided=1)

    def _put(self, node: Node, events: Sequence[Event], *, at: int) -> Played:
        state, entries = node.state, list[Entry]()
        for event in events:
            entries.append(place(state, event, at=at))
            state = apply(state, entries[-1])
        return self._judged(evolve(node, state=state), tuple(entries), (), decided=0)

    def _judged(self, node: Node, entries: tuple[Entry, ...], effects: tuple[Effect, ...], *, decided: int) -> Played:
        tools = self.world.surroundings(drifted=node.drifted).tools
        judged = self.oracle.judge(node.memory, entries, effects, tools)
        after = evolve(node, memory=judged.memory, turn=(*node.turn, *entries))
        return Played(node=after, entries=entries, violations=judged.violations, decided=decided)


def _on(node: Node, move: Move, **changes: object) -> Node:
    return evolve(node, trail=Trail(move=move, before=node.trail), **changes)  # type: ignore[arg-type]
