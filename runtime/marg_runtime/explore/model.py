"""The model's letters: everything that a model may do wrong, and a little that it may do right.

The write is offered to the model in every request; so it can call it whenever it is called.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelCall
from marg_runtime.decide.built_in import PROPOSE, REOPEN
from marg_runtime.domain import CONFIRMED, IDEMPOTENCY_KEY, Domain, SlotStep
from marg_runtime.explore.breadth import Breadth
from marg_runtime.explore.move import Move, Reply
from marg_runtime.explore.words import Words
from marg_runtime.tools.tool import ToolSpec

EVIL = "what nobody said"


@dataclass(frozen=True, kw_only=True)
class Voice:
    """Makes the replies. `eager`: with every reply the model calls the write too, with `confirmed: true`."""

    domain: Domain
    specs: tuple[ToolSpec, ...]
    words: Words
    eager: bool = False
    breadth: Breadth = "usual"
    _made: dict[str, tuple[Move, ...]] = field(default_factory=dict)

    @property
    def thorough(self) -> bool:
        """Everything is played."""
        return self.breadth == "thorough"

    def moves(self, mood: str) -> tuple[Move, ...]:
        """The replies to a request: to a turn's first everything; then few, and at last none that calls."""
        if mood not in self._made:
            self._made[mood] = tuple(self._eagerly(move) if mood != "last" else move for move in self._of_mood(mood))
        return self._made[mood]

    def _of_mood(self, mood: str) -> Iterator[Move]:
        if mood == "endless":
            yield self._create("call the write again, without end")
            return
        yield _says("say something harmless", "Fine.")
        if mood == "last" or (mood == "second" and not self.thorough):
            return
        yield self._create("call the write, confirmed")
        yield from self._quoting()
        yield _broken("break off in the middle", "Yes, created. I have sen")
        if mood == "free" and self.breadth == "narrow":
            yield from list(self._false_quotes())[:1]
            yield from list(self._reopens())[1:2]
        elif mood == "free":
            yield from self._more()

    def _more(self) -> Iterator[Move]:
        yield _says("ask what the runtime asks", f"{self.domain.confirm.lead} {self.domain.steps[0].lead}")
        yield _says("claim that it is done", "I have created it for you. It is done.")
        yield _says("say nothing", "")
        yield self._create("call the write without end")
        yield from self._other_names()
        yield from self._false_quotes()
        yield from self._reopens()
        yield from self._reads()
        yield _calls("call with what is no JSON", self._call(self._write_name, {"title": math.nan}))

    # Calls of the write

    @property
    def _write_name(self) -> str:
        tool, names = self.domain.write_tool, [spec.name for spec in self.specs]
        return tool.name if names.count(tool.name) == 1 else f"{tool.server}__{tool.name}"

    def _arguments(self) -> dict[str, Json]:
        return {**dict.fromkeys(self._slots(), EVIL), CONFIRMED: True, IDEMPOTENCY_KEY: EVIL}

    def _slots(self) -> tuple[str, ...]:
        return self.domain.slots

    def _create(self, letter: str) -> Move:
        return _calls(letter, self._call(self._write_name, self._arguments()))

    def _other_names(self) -> Iterator[Move]:
        """The write under names that are not its own, and every other tool that is not listed as one that reads."""
        name, server = self.domain.write_tool.name, self.domain.write_tool.server
        others = [
            spec.name for spec in self.specs if spec.tool not in (*self.domain.read_tools, self.domain.write_tool)
        ]
        for other in (f"{server}__{name}", f"{server}/{name}", f"{name}_v2", name.upper(), *others):
            yield _calls("call the write under another name", self._call(other, self._arguments()))

    # Proposals

    def _quoting(self) -> Iterator[Move]:
        for slot in self.quoted_slots():
            for quote in self.words.quotes:
                call = self._call(PROPOSE, {"slot": slot, "value": quote, "quote": quote})
                yield _calls("propose words that may have been said", call)

    def _false_quotes(self) -> Iterator[Move]:
        quote = self.words.quotes[0]
        for slot in self._proposable()[:1]:
            for value, said in ((EVIL, EVIL), (EVIL, quote), ("", "")):
                call = self._call(PROPOSE, {"slot": slot, "value": value, "quote": said})
                yield _calls("propose words that nobody said", call)
        owned = [slot for slot in self._slots() if slot not in self._proposable()]
        for other in (*owned[:1], CONFIRMED):
            call = self._call(PROPOSE, {"slot": other, "value": quote, "quote": quote})
            yield _calls("propose for a slot that is not the model's", call)

    def quoted_slots(self) -> tuple[str, ...]:
        """The slots that words are proposed for: one, of a step that others depend on where there is one; or all."""
        slots = sorted(self._proposable(), key=self._stands_alone)
        return tuple(slots if self.thorough else slots[:1])

    def _stands_alone(self, slot: str) -> bool:
        step = self.domain.slot_step(slot)
        return step is None or not self.domain.dependants(step.key)

    def _proposable(self) -> tuple[str, ...]:
        return tuple(slot for step in self.domain.steps if getattr(step, "proposable", False) for slot in step.slots)

    def _reopens(self) -> Iterator[Move]:
        for step in self.domain.steps if self.thorough else _classes(self.domain):
            yield _calls("reopen a step", self._call(REOPEN, {"step": step.key}))
        yield _calls("reopen what is no step", self._call(REOPEN, {"step": self.domain.confirm.key}))
        quote = self.words.quotes[0]
        for slot in self.quoted_slots()[:1]:
            step = next(step for step in self.domain.steps if slot in step.slots)
            yield _calls(
                "reopen a step, propose for it and call the write",
                self._call(REOPEN, {"step": step.key}),
                self._call(PROPOSE, {"slot": slot, "value": quote, "quote": quote}),
                self._call(self._write_name, self._arguments()),
            )

    def _reads(self) -> Iterator[Move]:
        for spec in self.specs:
            if spec.tool in self.domain.read_tools:
                yield _calls("call a tool that reads", self._call(spec.name, self._arguments()))

    @staticmethod
    def _call(name: str, arguments: dict[str, Json]) -> ModelCall:
        return ModelCall(id="c1", name=name, arguments=arguments)

    def _eagerly(self, move: Move) -> Move:
        reply = move.reply
        if not self.eager or reply is None or reply.broken:
            return move
        calls = (*reply.calls, self._call(self._write_name, self._arguments()))
        return replace(move, reply=replace(reply, calls=calls))


def _classes(domain: Domain) -> list[SlotStep]:
    """One step for each kind and need, and for whether others depend on it: two that share them behave alike."""
    first: dict[tuple[object, ...], SlotStep] = {}
    for step in domain.steps:
        first.setdefault((type(step), step.required, bool(domain.dependants(step.key))), step)
    return list(first.values())


def next_mood(mood: str, move: Move) -> str:
    """How the model goes on in the same turn once it has made this move."""
    if mood == "endless" or move.letter.endswith("without end"):
        return "endless"
    return "second" if mood == "free" else "last"


def _says(letter: str, text: str) -> Move:
    return Move(who="model", letter=letter, detail=text, reply=Reply(text=text))


def _calls(letter: str, *calls: ModelCall) -> Move:
    detail = " and ".join(f"{call.name}({', '.join(sorted(call.arguments))})" for call in calls)
    return Move(who="model", letter=letter, detail=detail, reply=Reply(calls=calls))


def _broken(letter: str, text: str) -> Move:
    return Move(who="model", letter=letter, detail=text, reply=Reply(text=text, broken=True))
