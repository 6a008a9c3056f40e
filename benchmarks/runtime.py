"""How many turns a core decides in a second, and whether a turn costs the same in a long session.

    python -m benchmarks.runtime [--json]

The pure core alone (`decide` and the fold), and a whole turn in process: session, model double, ledger on SQLite. Each
is stated as a ratio to a loop that does the least a chat could do in the same run: a dict of the state, JSON in and
out. Rule C6 and issue 4: a turn at 1,000 turns costs at most twice a turn at 10.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from marg_runtime.acts import Say
from marg_runtime.canonical import Json
from marg_runtime.conversation import ModelRequest
from marg_runtime.decide import decide
from marg_runtime.decide.book import place
from marg_runtime.effects import ActStarted, CallModel, Delivered, ModelFinished
from marg_runtime.events.turn import ActQueued, SessionOpened
from marg_runtime.fold import apply
from marg_runtime.model import Delta
from marg_runtime.models import Finish, TextDelta
from marg_runtime.session import Session
from marg_runtime.state import State
from marg_runtime.store.sql import SqlStore
from marg_runtime.surroundings import Surroundings, pin
from marg_runtime.tools import ToolOutcome, ToolSpec
from marg_runtime.tools.scripted import ScriptedTools
from marg_scenarios import find_kit

LENGTHS = (10, 100, 1_000)  # turns of a session before the ones that are measured
MEASURED = 40  # turns, at each length
ROUNDS = 5
MOST_GROWTH = 2.0
WORDS = ("is this urgent at all?", "what happens then?", "can you help me with this?")  # content, whatever is open


def surroundings() -> Surroundings:
    """The example domain with the one tool that it cannot do without."""
    domain = find_kit("support_intake").domain
    return Surroundings(domain=domain, reader="whole_message", tools=specs(), write_flag=None)


def specs() -> tuple[ToolSpec, ...]:
    """The example's tools by name, as a server would list them."""
    domain = find_kit("support_intake").domain
    names = sorted({domain.write_tool, *domain.read_tools}, key=str)
    slots: dict[str, Json] = {slot: {"type": "string"} for slot in (*domain.slots, "confirmed", "idempotency_key")}
    schema: dict[str, Json] = {"type": "object", "properties": slots}
    return tuple(
        ToolSpec(server=name.server, identity="desk 1", name=name.name, description="", input_schema=schema)
        for name in names
    )


class Core:
    """A session of the pure core: nothing but `decide` and the fold."""

    def __init__(self) -> None:
        self._around = surroundings()
        domain = self._around.domain
        opened = SessionOpened(
            session="s",
            domain=domain.name,
            language=domain.language,
            reader="whole_message",
            vocabulary_digest="",
            skill_digest=domain.skill_digest,
            tools=tuple(pin(spec) for spec in self._around.tools),
        )
        self.state = apply(State(), place(State(), opened, at=0))
        self.turns = 0

    def turn(self) -> None:
        """A message that is content, answered by the model, with the open question drawn again."""
        self.turns += 1
        state, text = self.state, WORDS[self.turns % len(WORDS)]
        state = apply(state, place(state, ActQueued(act=Say(text=text, at=self.turns, seen=state.revision)), at=1))
        stimulus: ActStarted | ModelFinished = ActStarted(queued=state.queue[0])
        while True:
            decision = decide(state, stimulus, surroundings=self._around)
            state = decision.state
            if not any(isinstance(effect, CallModel) for effect in decision.effects):
                break
            stimulus = ModelFinished(raw="I see.", shown="I see.", cuts=(), calls=(), finish="stop")
        self.state = decide(state, Delivered(), surroundings=self._around).state


class Talker:
    """A model that always says the same."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """One sentence."""
        yield TextDelta(text="I see.")
        yield Finish(reason="stop")


class Whole:
    """A session as it is run: a model, tools, a ledger on SQLite."""

    def __init__(self, loop: asyncio.Runner, folder: Path) -> None:
        self._loop = loop
        self.turns = 0
        domain = find_kit("support_intake").domain
        tools = ScriptedTools(specs(), {spec.tool: ToolOutcome(text="") for spec in specs()})
        self._store = loop.run(SqlStore.open(f"sqlite:///{folder / 'ledger.sqlite'}"))
        opening = Session.open("s", domain=domain, model=Talker(), tools=tools, store=self._store)
        self._session = loop.run(opening)
        self._seen = 0

    def turn(self) -> None:
        """A message that is content."""
        self.turns += 1
        said = Say(text=WORDS[self.turns % len(WORDS)], at=self.turns, seen=self._seen)
        self._seen = self._loop.run(self._session.act(said)).revision

    def close(self) -> None:
        """Give the file up."""
        self._loop.run(self._store.close())


class Plain:
    """The least that a chat could do: a dict of the state, the messages of the turn as JSON lines in and out."""

    def __init__(self) -> None:
        self.turns = 0
        self.state: dict[str, object] = {"question": "title", "values": {}, "revision": 0}
        self.lines: list[str] = []

    def turn(self) -> None:
        """One message and one answer."""
        self.turns += 1
        for event in ({"kind": "said", "text": WORDS[self.turns % len(WORDS)]}, {"kind": "replied", "text": "I see."}):
            line = json.dumps({"revision": self.turns, **event, **self.state}, sort_keys=True)
            self.lines.append(line)
            self.state = {**self.state, "revision": json.loads(line)["revision"], "last": event["text"]}


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Seconds a turn at each length of the session."""

    at: dict[int, float]

    @property
    def growth(self) -> float:
        """The last length's cost over the first's."""
        return self.at[LENGTHS[-1]] / self.at[LENGTHS[0]]

    @property
    def per_second(self) -> float:
        """Turns a second at the first length."""
        return 1 / self.at[LENGTHS[0]]


def cost(start: Callable[[], Core | Whole | Plain]) -> Cost:
    """What a turn costs at each length: the median over rounds, each with a session of its own."""
    taken: dict[int, list[float]] = {length: [] for length in LENGTHS}
    for _ in range(ROUNDS):
        session = start()
        for length in LENGTHS:
            while session.turns < length:
                session.turn()
            began = time.process_time()
            for _ in range(MEASURED):
                session.turn()
            taken[length].append((time.process_time() - began) / MEASURED)
    return Cost(at={length: statistics.median(times) for length, times in taken.items()})


def costs() -> dict[str, Cost]:
    """The plain loop, the pure core, and the whole turn."""
    found = {"a plain loop of dicts and JSON": cost(Plain), "the pure core": cost(Core)}
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as loop:
        made: list[Whole] = []

        def start() -> Whole:
            place_of_it = Path(folder) / str(len(made))
            place_of_it.mkdir()
            made.append(Whole(loop, place_of_it))
            return made[-1]

        found["a whole turn, ledger on SQLite"] = cost(start)
        for one in made:
            one.close()
    return found


def main() -> int:
    """Print what was measured; gives the exit code: 1 where a turn of a long session costs more than twice."""
    parser = argparse.ArgumentParser(description="Turns a second, and their cost in long sessions.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    as_json = parser.parse_args().json
    found = costs()
    plain = next(iter(found.values())).per_second
    held = all(one.growth <= MOST_GROWTH for one in found.values())
    if as_json:
        rows = {
            name: {
                "turns_per_second": round(one.per_second),
                "ratio_to_plain": round(one.per_second / plain, 4),
                "microseconds_a_turn": {str(length): round(1e6 * seconds, 1) for length, seconds in one.at.items()},
                "growth": round(one.growth, 2),
            }
            for name, one in found.items()
        }
        print(json.dumps({"costs": rows, "held": held}))
        return 0 if held else 1
    for name, one in found.items():
        at = ", ".join(f"{1e6 * seconds:,.0f} µs at {length:,}" for length, seconds in one.at.items())
        print(f"{name:<32} {one.per_second:>9,.0f} turns/s, {one.per_second / plain:.4f} of the plain loop; {at}")
        print(f"{'':<32} a turn at {LENGTHS[-1]:,} turns costs {one.growth:.2f} times one at {LENGTHS[0]}")
    print(f"at most {MOST_GROWTH:.0f} times: {'held' if held else 'EXCEEDED'}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
