"""`marg replay --step`: a turn at a time, by the lines of whoever looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.stepper import Stepped, step_through
from marg_harness.target import ReferenceTarget
from marg_scenarios import load_scenario

WriteScenario = Callable[..., Path]
TWO = "  - {id: one, say: hello}\n  - {id: two, say: 'hello [b]you[/b] \"\\e[31m\"', expect: {model_calls: 9}}\n"


def step(keys: str) -> Result:
    return CliRunner().invoke(marg, ["replay", "--step"], input=keys, catch_exceptions=False)


def test_every_turn_is_shown_before_the_next_is_played(small: WriteScenario) -> None:
    shown: list[tuple[int, int, int]] = []

    def look(stepped: Stepped) -> bool:
        shown.append((stepped.number, stepped.of, len(stepped.observations)))
        return True

    step_through(load_scenario(small(turns=TWO.replace("\\e", "e"))), target=ReferenceTarget(), look=look)
    assert shown == [(1, 2, 1), (2, 2, 1)]


def test_a_turn_shows_what_was_said_drawn_settled_and_written_and_its_checks(small: WriteScenario) -> None:
    small(turns="  - {say: hello, expect: {model_calls: 1, reading: plain_yes}}\n")
    lines = step("\n").stdout.splitlines()
    assert lines == [
        "a small one",
        "turn 1/1  say-hello  (line 5)",
        "  user    hello",
        "  model   Hi.",
        "  block   text: What should the ticket be called?",
        "  open    title",
        "  draft   {}",
        *[line for line in lines if line.startswith("  ledger  ActQueued, UserSaid, ReplyRead")],
        "  RED     reading",
        '          expected "plain_yes", got "content"',
        "  green   model_calls",
    ]


def test_text_is_never_markup(small: WriteScenario) -> None:
    small(turns="  - {say: 'hello [b]you[/b]'}\n")
    assert "  user    hello [b]you[/b]" in step("\n").stdout.splitlines()


def test_events_and_requests_are_shown_when_they_are_asked_for(small: WriteScenario) -> None:
    small(turns=TWO.replace("\\e", "e"))
    shown = step("e\nr\n\n").stdout
    assert '  UserSaid  {"act":2,"seen":null,"text":"hello"}' in shown
    assert "      user    hello\n" in shown


def test_q_ends_it_and_nothing_more_is_played(small: WriteScenario) -> None:
    small(turns=TWO.replace("\\e", "e"))
    found = step("q\n")
    assert ("turn 1/2" in found.stdout, "turn 2/2" in found.stdout, found.exit_code) == (True, False, 0)


def test_no_more_input_ends_it(small: WriteScenario) -> None:
    small(turns=TWO.replace("\\e", "e"))
    assert "turn 2/2" not in step("").stdout


def test_a_red_makes_exit_code_1(small: WriteScenario) -> None:
    small(turns=TWO.replace("\\e", "e"))
    assert step("\n\n").exit_code == 1


def test_an_unknown_key_names_the_known_ones(small: WriteScenario) -> None:
    small()
    assert "'x' is no key; [Enter] next  [e] events  [r] requests  [q] quit" in step("x\n\n").stdout
