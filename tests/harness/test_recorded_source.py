"""What a model drew is put on record, and said again on other code; what was never heard is not made up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from marg_harness.evidence.drawn import kept_replies, missing_replies
from marg_harness.play import Play
from marg_harness.replay import load_all, replay
from marg_harness.target import ReferenceTarget
from marg_reports import Red, RunRecord, write_record
from marg_reports.record_reading import read_record
from marg_runtime.models.recorded import read_reply

SLIPPING = """\
machine: small
start: a
slips:
  - {slip: claims_success, rate: 0.5, text: "%s"}
states:
  a:
    transitions:
      - {when: {user_matches: hello}, reply: Hi., to: a}
"""
TURNS = "".join(
    f"  - say: hello, who are you?\n    id: t{number}\n    expect: {{model_calls: 1}}\n" for number in range(4)
)
SAID = "Your ticket was created."
SECRET = "sk-" + "a1b2c3d4e5f6" * 2


def played(path: Path, **how: object) -> RunRecord:
    play = Play(**how)  # type: ignore[arg-type]
    return replay(load_all([path]), target=ReferenceTarget(play=play))


def texts(run: RunRecord) -> list[str]:
    lines = [line for turn in run.scenarios[0].turns for line in turn.transcript]
    return [line.text for line in lines if line.by == "model"]


@pytest.fixture
def path(small: Callable[..., Path]) -> Path:
    return small(turns=TURNS, machine=SLIPPING % SAID)


@pytest.fixture
def drawn(path: Path) -> RunRecord:
    """A run in which the model slipped in some turns."""
    run = played(path, seed=3)
    assert 0 < sum(bool(turn.slips) for turn in run.scenarios[0].turns) < 4
    return run


def test_the_replies_of_a_scenario_that_slipped_are_on_record(drawn: RunRecord) -> None:
    replies = [[read_reply(reply) for reply in turn.replies] for turn in drawn.scenarios[0].turns]
    assert [[reply.whole for reply in turn] for turn in replies] == [[True]] * 4
    digests = [[reply.request for reply in turn] for turn in replies]
    assert digests == [list(turn.request_digests) for turn in drawn.scenarios[0].turns]


def test_a_scenario_that_is_played_as_written_has_none_on_record(path: Path) -> None:
    assert [turn.replies for turn in played(path, slips=False).scenarios[0].turns] == [()] * 4


def test_recorded_replies_are_said_again_whatever_the_seed_and_the_machine(drawn: RunRecord, path: Path) -> None:
    write_record(drawn, kept := Path("kept.jsonl"))
    Path("small.machine.yaml").write_text(SLIPPING.replace("Hi.", "Ho.") % SAID, encoding="utf-8")
    again = played(path, seed=99, replies=kept)
    assert texts(again) == texts(drawn)
    assert texts(played(path, seed=99)) != texts(drawn)


def test_a_turn_without_a_recorded_reply_is_not_measured_and_no_red(drawn: RunRecord, path: Path) -> None:
    first, *others = drawn.scenarios[0].turns
    turns = (first, *(replace(turn, replies=()) for turn in others))
    write_record(replace(drawn, scenarios=(replace(drawn.scenarios[0], turns=turns),)), kept := Path("kept.jsonl"))
    run = played(path, replies=kept)
    assert [red.check.kind for red in run.unmeasured()] == ["unrecorded"]
    assert (len(run.scenarios[0].turns), [red for red in run.reds() if red.turn > 0]) == (2, [])


def test_secrets_are_removed_from_recorded_replies(small: Callable[..., Path]) -> None:
    path = small(turns=TURNS, machine=SLIPPING % f"The key is {SECRET}.")
    run = played(path, seed=3)
    assert any(turn.slips for turn in run.scenarios[0].turns)
    assert SECRET not in str([turn.replies for turn in run.scenarios[0].turns])


def test_the_kept_replies_hold_nothing_else_and_have_one_name(drawn: RunRecord, tmp_path: Path) -> None:
    kept = kept_replies(drawn, tmp_path / "replies")
    assert kept is not None
    assert kept_replies(drawn, tmp_path / "replies") == kept
    (scenario,) = read_record(kept).scenarios
    assert [turn.replies for turn in scenario.turns] == [turn.replies for turn in drawn.scenarios[0].turns]
    assert scenario.checks == ()


def test_a_drawn_run_without_its_replies_says_what_is_missing(drawn: RunRecord) -> None:
    bare = [replace(turn, replies=()) for turn in drawn.scenarios[0].turns]
    run = replace(drawn, scenarios=(replace(drawn.scenarios[0], turns=tuple(bare)),))
    slipped = [turn.id for turn in bare if turn.slips]
    check = bare[3].checks[0]
    assert missing_replies(Red(scenario=drawn.scenarios[0], turn=3, check=check), settings={}) == ()
    missing = missing_replies(Red(scenario=run.scenarios[0], turn=3, check=check), settings={})
    assert missing == tuple(f"the replies of the turn {name!r}" for name in slipped)
