"""`marg replay --step`: turn by turn, with what was said, drawn, settled and written into the ledger."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Protocol

import click

from marg_harness.cli.console import print_line
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.stepper import Stepped, step_through
from marg_harness.target import ReferenceTarget
from marg_reports import TurnRecord, differences
from marg_reports.record_scrubbed import given_away
from marg_runtime.canonical import canonical_json
from marg_runtime.conversation import AssistantMessage, FactsMessage, Message, ModelRequest, ResultMessage
from marg_runtime.errors import UsageError
from marg_runtime.ledger import Entry, encode
from marg_runtime.scrub import own_secrets, scrub
from marg_scenarios import Observation, Scenario


class Say(Protocol):
    """Prints one line."""

    def __call__(self, text: str, *, style: str = "") -> None:
        """Print it."""
        ...


KEYS = "[Enter] next  [e] events  [r] requests  [q] quit"
STYLES = {"user": "bold", "model": "cyan", "runtime": "yellow", "block": "magenta"}


def run(scenarios: Sequence[Scenario], options: ReplayOptions) -> int:
    """Step through each scenario; the exit code: 1 where a check failed in what was played."""
    if options.as_json:
        raise UsageError("--step shows turns to a person; --json has no use for it")
    target, stepper = ReferenceTarget(play=options.play(0)), _Stepper()
    red = False
    for scenario in scenarios:
        print_line(scenario.title, style="bold underline")
        red |= any(turn.red for turn in step_through(scenario, target=target, look=stepper.look))
        if stepper.quitted:
            break
    return 1 if red else 0


class _Stepper:
    """Shows turns on stdout and asks what to do, by single keys on a terminal and by lines elsewhere."""

    def __init__(self) -> None:
        self.quitted = False
        self._secrets = own_secrets()

    def look(self, stepped: Stepped) -> bool:
        """Show a turn, then do as is asked until it goes on."""
        say = self._sayer(stepped)
        _show(stepped, say)
        while True:
            key = _key()
            if key == "e":
                _show_events(stepped.observations, say)
            elif key == "r":
                _show_requests(stepped.observations, say)
            elif key == "q":
                self.quitted = True
                return False
            elif key in ("", "n"):
                return True
            else:
                print_line(f"{key!r} is no key; {KEYS}")

    def _sayer(self, stepped: Stepped) -> Say:
        """What prints a line of a turn without secrets: also those that the turns up to it gave away."""
        for record in stepped.records:
            self._secrets |= given_away(record)

        def say(text: str, *, style: str = "") -> None:
            print_line(scrub(text, secrets=self._secrets), style=style)

        return say


def _key() -> str:
    """The key that was pressed, or the first letter of a line; `q` where there is no more input."""
    if sys.stdin.isatty():
        print_line(KEYS)
        key = click.getchar()
        return "" if key in "\r\n " else "q" if key in "\x03\x04" else key.casefold()
    line = sys.stdin.readline()
    return line.strip().casefold()[:1] if line else "q"


def _show(stepped: Stepped, say: Say) -> None:
    for record in stepped.records:
        place = f"line {record.line}" if record.file is None else f"{record.file}:{record.line}"
        say(f"turn {stepped.number}/{stepped.of}  {record.id}  ({place})")
        for line in record.transcript:
            for text in line.text.split("\n"):
                say(f"  {line.by:<8}{text}", style=STYLES[line.by])
    for observation in stepped.observations:
        _show_state(observation, say)
    for record in stepped.records:
        _show_checks(record, say)


def _show_state(observation: Observation, say: Say) -> None:
    """The open question, the draft, and the turn's part of the ledger by name."""
    draft = {slot: value.value for slot, value in sorted(observation.draft.values.items())}
    say(f"  open    {observation.question or 'none'}")
    say(f"  draft   {canonical_json(draft)}")
    say(f"  ledger  {', '.join(type(entry.event).__name__ for entry in observation.entries)}")


def _show_checks(record: TurnRecord, say: Say) -> None:
    for check in record.checks:
        say(f"  {'green' if check.passed else 'RED  '}   {check.id}", style="green" if check.passed else "red")
        if not check.passed:
            for difference in differences(check.expected, check.got):
                say(f"          {difference}", style="red")


def _show_events(observations: Sequence[Observation], say: Say) -> None:
    for observation in observations:
        for entry in observation.entries:
            say(f"    {_event(entry)}")


def _event(entry: Entry) -> str:
    line = json.loads(encode(entry))
    return f"{entry.revision:>4}  {line['kind']}  {canonical_json(line['event'])}"


def _show_requests(observations: Sequence[Observation], say: Say) -> None:
    requests = [request for observation in observations for request in observation.requests]
    if not requests:
        say("    the model was not called")
    for request in requests:
        _show_request(request, say)


def _show_request(request: ModelRequest, say: Say) -> None:
    say(f"    request {request.digest[:12]}, tools {', '.join(tool.name for tool in request.tools) or 'none'}")
    say(f"      system  {request.system}")
    for message in request.messages:
        say(f"      {_said(message)}")


def _said(message: Message) -> str:
    match message:
        case FactsMessage(facts=facts):
            return f"facts   {'; '.join(facts)}"
        case AssistantMessage(text=text, calls=calls):
            made = "".join(f" [calls {call.name} {canonical_json(call.arguments)}]" for call in calls)
            return f"model   {text}{made}"
        case ResultMessage(name=name, text=text):
            return f"result  {name}: {text}"
        case _:
            return f"user    {message.text}"
