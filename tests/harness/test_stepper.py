"""`marg replay --step`: a turn at a time, by the lines of whoever looks."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from click.testing import CliRunner, Result

from marg_harness.cli.command_line import marg
from marg_harness.errors import NetworkForbidden
from marg_harness.reference_conversation import ReferenceConversation
from marg_harness.stepper import Stepped, step_through
from marg_harness.target import ReferenceTarget
from marg_runtime.acts import Act
from marg_scenarios import Observation, Scenario, load_scenario

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


class PhoningTarget(ReferenceTarget):
    """The reference, whose turns try a network and say nothing of it."""

    @asynccontextmanager
    async def converse(self, scenario: Scenario) -> AsyncIterator[ReferenceConversation]:
        """A conversation that phones first."""
        async with super().converse(scenario) as conversation:
            act = conversation.act

            async def phoning(one: Act) -> Observation:
                with suppress(NetworkForbidden), socket.socket() as phone:
                    phone.connect(("192.0.2.1", 80))  # an address for documents alone, RFC 5737
                return await act(one)

            conversation.act = phoning  # type: ignore[method-assign,assignment]
            yield conversation


def test_an_attempt_on_the_network_is_shown_as_red_though_the_error_was_caught(small: WriteScenario) -> None:
    shown: list[tuple[str, ...]] = []

    def look(stepped: Stepped) -> bool:
        shown.append(tuple(check.kind for record in stepped.records for check in record.checks if not check.passed))
        return True

    scenario = load_scenario(small(turns="  - {id: one, say: hello}\n  - {id: two, say: hello}\n"))
    step_through(scenario, target=PhoningTarget(), look=look)
    assert shown == [("network",)]
