"""`decide` is pure: no clock, no randomness, no dependence on the process; a run is reproducible to the byte."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from marg_runtime.acts import Act, Reload, Say, Submit, Tap
from marg_runtime.decide import decide
from marg_runtime.effects import (
    ActStarted,
    Delivered,
    ModelBroke,
    ModelFinished,
    OptionsLoaded,
    Stimulus,
    TakenOver,
    WriteBroke,
    WriteFinished,
)
from marg_runtime.events.turn import AnswerDelivered
from marg_runtime.ledger import encode
from marg_runtime.state import QueuedAct, State
from marg_runtime.steps import Option
from marg_runtime.tools.tool import ToolOutcome

if TYPE_CHECKING:
    from tests.runtime.conftest import Desk, MakeDesk

ROOT = Path(__file__).parents[2]
PLAY = """
import asyncio
from tests.runtime.conftest import Desk
from tests.runtime.test_decide_decision import played
with asyncio.Runner() as runner:
    print(played(Desk(runner)), end="")
"""


def played(desk: Desk) -> str:
    """The lines of the ledger of a conversation with a change, a cut, calls and a go-ahead."""
    desk.to_summary()
    desk.hear("How urgent is this?", desk.propose("title", "login fails"), desk.call("create", b=1, a=2, title="x"))
    desk.hear("Changed.", desk.call("search", query="x", title="y"))
    desk.hear("Done.")
    desk.say("Yes but change the title to login fails")
    desk.say("yes")
    return "\n".join(encode(entry) for entry in desk.ledger())


def queued(state: State, act: Act) -> ActStarted:
    """The act, queued behind everything in the state."""
    return ActStarted(queued=QueuedAct(revision=state.revision + 1, at=act.at, act=act))


def stimuli(state: State) -> list[Stimulus]:
    """One of each kind that fits a state with the summary open."""
    question = state.question
    assert question is not None
    tap = Tap(question=question.id, revision=question.revision, option="o1", at=1, seen=state.revision)
    return [
        queued(state, Say(text="yes", at=1, seen=state.revision)),
        queued(state, Say(text="Yes but change the title to login fails", at=1, seen=state.revision)),
        queued(state, tap),
        queued(state, Submit(question=question.id, revision=question.revision, values={"b": "x", "a": "y"}, at=1)),
        queued(state, Reload(at=1)),
        ModelFinished(raw="Hi.", shown="Hi.", cuts=(), calls=(), finish="stop"),
        ModelBroke(raw="Hi", shown="", cuts=(), error="gone"),
        OptionsLoaded(step="urgency", options=(Option(label="Low", value="low"),), calls=()),
        Delivered(),
        TakenOver(),
    ]


@pytest.fixture
def summary(desk: Desk) -> State:
    desk.to_summary()
    return desk.state


def test_C1_the_same_arguments_give_equal_decisions(desk: Desk, summary: State) -> None:
    around = desk.surroundings()
    first = [decide(summary, stimulus, surroundings=around) for stimulus in stimuli(summary)]
    assert first == [decide(summary, stimulus, surroundings=around) for stimulus in stimuli(summary)]


def test_C1_a_decision_leaves_the_state_as_it_was(desk: Desk, summary: State) -> None:
    copy = replace(summary)
    for stimulus in stimuli(summary):
        decide(summary, stimulus, surroundings=desk.surroundings())
    assert summary == copy


def test_C1_a_decision_asks_neither_clock_nor_chance(
    desk: Desk, summary: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a decision asked the clock or chance")

    around = desk.surroundings()
    given = stimuli(summary)
    for module, name in [(time, "time"), (time, "time_ns"), (time, "monotonic"), (os, "urandom"), (random, "random")]:
        monkeypatch.setattr(module, name, forbidden)
    decisions = [decide(summary, stimulus, surroundings=around) for stimulus in given]
    monkeypatch.undo()
    assert len(decisions) == len(given)


def test_C1_time_arrives_with_the_act(desk: Desk) -> None:
    desk.act(Reload(at=1_234_567))
    assert {entry.at for entry in desk.ledger() if entry.turn == 1} == {1_234_567}


def test_C1_two_runs_of_the_same_acts_have_the_same_ledger(make_desk: MakeDesk) -> None:
    runs = []
    for _ in range(2):
        desk = make_desk()
        desk.to_summary()
        desk.say("yes")
        runs.append([encode(entry) for entry in desk.ledger()])
    assert runs[0] == runs[1]


def test_C1_a_run_is_the_same_to_the_byte_under_another_hash_seed(desk: Desk) -> None:
    """Another process, another seed: the order of sets and the hashes of texts differ there."""
    here = played(desk)
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", "")}
    done = subprocess.run([sys.executable, "-c", PLAY], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout.decode() == here


def test_C2_a_delivery_names_the_question_that_is_open(desk: Desk, summary: State) -> None:
    question = summary.question
    assert question is not None
    decision = decide(summary, Delivered(), surroundings=desk.surroundings())
    assert decision.events == (AnswerDelivered(question=question.id),)


def test_C2_a_delivery_with_nothing_open_names_none(desk: Desk) -> None:
    decision = decide(desk.state, Delivered(), surroundings=desk.surroundings())
    assert decision.events == (AnswerDelivered(question=None),)


@pytest.mark.parametrize("broke", [True, False])
def test_G9_an_outcome_of_a_write_starts_nothing(desk: Desk, writes_on: None, broke: bool) -> None:
    desk.to_summary()
    states: list[State] = []

    def create(_: object) -> ToolOutcome:
        states.append(desk.state)
        return ToolOutcome(text="created", data={"id": "T-1"})

    desk.scripted._script[desk.CREATE] = create
    desk.say("yes")
    write = states[0].write
    assert write is not None
    outcome = ToolOutcome(text="created", data=None)
    came = WriteBroke(key=write.key, error="gone") if broke else WriteFinished(key=write.key, outcome=outcome)
    assert decide(states[0], came, surroundings=desk.surroundings()).effects == ()
