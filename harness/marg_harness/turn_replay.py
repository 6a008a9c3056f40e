"""Replaying one turn: the act is done, the checks are evaluated, and what was seen is put on record."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from marg_harness.errors import NotMeasured, NotRecorded, NotShown
from marg_harness.heard import scrubbed_reply, with_heard
from marg_harness.leaving import LEAVING, raise_if_ours
from marg_harness.script import Client
from marg_harness.stop import crash_stop, error_text, not_shown_stop, undeclared_stop, unrecorded_stop
from marg_harness.target import Conversation, Overheard
from marg_harness.transcript import answer_lines, user_line
from marg_mock_model import UndeclaredSituation
from marg_reports import CheckRecord, Line, TurnRecord
from marg_runtime.canonical import Json
from marg_scenarios import Check, Observation, Turn, Verdict
from marg_scenarios.checks.needs import missing
from marg_scenarios.turn import ConcurrentTurn, RestartTurn, WaitTurn

NO_VERDICT = Verdict(passed=False, expected="a verdict", got=None)
NO_ANSWER = "[no answer: the runtime died, and was started anew]"


@dataclass(frozen=True, kw_only=True)
class SeenTurn:
    """A turn that was played, and what was seen of it: nothing where time passed, or the runtime was started anew."""

    turn: Turn
    observation: Observation | None = None


async def replay_turn(turn: Turn, client: Client, conversation: Conversation) -> tuple[TurnRecord, ...]:
    """Play a turn and check what follows; what breaks is a red and stops the scenario. Gives a record for each act.

    A scripted reply or a tool's fault that the turn had no use for is a red as well: the scenario does not show what
    it says.
    """
    try:
        conversation.direct(turn)
        seen = await play_turn(turn, client, conversation)
        records = tuple(_seen_record(one) for one in seen)
        unused = conversation.unused()
    except NotMeasured:
        raise
    except NotShown as error:
        return (_stopped(turn, conversation, not_shown_stop(error, line=turn.line)),)
    except NotRecorded as error:
        return (_stopped(turn, conversation, unrecorded_stop(error, line=turn.line)),)
    except UndeclaredSituation as error:
        return (_stopped(turn, conversation, undeclared_stop(error, line=turn.line)),)
    except (Exception, *LEAVING) as error:
        # Whatever the runtime or the domain raises is a red of that turn, not the end of the run.
        raise_if_ours(error)
        return (_stopped(turn, conversation, crash_stop(error, line=turn.line)),)
    return _with_unused(records, turn, unused) if unused else records


def _seen_record(seen: SeenTurn) -> TurnRecord:
    return _record(seen.turn) if seen.observation is None else _observed(seen.turn, seen.observation)


def _stopped(turn: Turn, conversation: Conversation, stop: CheckRecord) -> TurnRecord:
    record = stopped_turn(turn, stop)
    return with_heard(record, conversation.overheard()) if isinstance(conversation, Overheard) else record


def stopped_turn(turn: Turn, stop: CheckRecord) -> TurnRecord:
    """The record of a turn that went no further."""
    return _record(turn, replace(stop, file=turn.file), transcript=tuple(user_line(part) for part in turn.parts))


async def play_turn(turn: Turn, client: Client, conversation: Conversation) -> tuple[SeenTurn, ...]:
    """Do the act of a turn, or each of those that are sent at once, and look at it; nothing is checked.

    Raises what the runtime and the domain do, and NotShown for an act on what was never shown.
    """
    match turn.act:
        case WaitTurn(milliseconds=milliseconds):
            conversation.wait(milliseconds)
            return (SeenTurn(turn=turn),)
        case RestartTurn():
            await conversation.restart()
            return (SeenTurn(turn=turn),)
        case ConcurrentTurn(turns=parts):
            acts = [client.act(part, now=conversation.now) for part in parts]
            seen = await conversation.act_together(acts)
            return tuple(_taken(part, one, client) for part, one in zip(parts, seen, strict=True))
    return (_taken(turn, await conversation.act(client.act(turn, now=conversation.now)), client),)


def _taken(turn: Turn, observation: Observation, client: Client) -> SeenTurn:
    """What was seen of a turn; its client has it, too."""
    if observation.answered:
        client.took(turn, observation.answer)
    return SeenTurn(turn=turn, observation=observation)


def _observed(turn: Turn, observation: Observation) -> TurnRecord:
    answer = answer_lines(observation.answer) if observation.answered else (Line(by="runtime", text=NO_ANSWER),)
    return TurnRecord(
        id=turn.id,
        line=turn.line,
        file=turn.file,
        checks=tuple(_checked(check, observation) for check in turn.checks),
        transcript=(user_line(turn), *answer),
        request_digests=tuple(request.digest for request in observation.requests),
        events=_ledger(observation),
        taken=observation.machine,
        slips=observation.slips,
        wire=tuple(asdict(event) for event in observation.wire),
        replies=tuple(scrubbed_reply(reply) for reply in observation.replies),
    )


def unmeasured_turns(turn: Turn, *, because: str) -> tuple[TurnRecord, ...]:
    """The records of a turn that was not played, since its target is not able to: every check of it, and why."""
    return tuple(
        _record(part, *(_not_measured(_judged(check), because) for check in part.checks)) for part in turn.parts
    )


def _ledger(observation: Observation) -> tuple[Json, ...]:
    """The turn's part of the ledger, where the target reports one."""
    if "ledger" not in observation.parts:
        return ()
    return tuple(entry.record for entry in observation.entries)


def _not_measured(record: CheckRecord, because: str) -> CheckRecord:
    return replace(record, measured=False, expected="to be measured", got=because)


def _record(turn: Turn, *checks: CheckRecord, transcript: tuple[Line, ...] | None = None) -> TurnRecord:
    """The record of a turn of which nothing was seen."""
    return TurnRecord(
        id=turn.id,
        line=turn.line,
        file=turn.file,
        checks=checks,
        transcript=(user_line(turn),) if transcript is None else transcript,
        request_digests=(),
        events=(),
    )


def _with_unused(records: tuple[TurnRecord, ...], turn: Turn, unused: tuple[str, ...]) -> tuple[TurnRecord, ...]:
    red = CheckRecord(
        id="unused",
        kind="unused",
        owner="runtime",
        line=turn.line,
        file=turn.file,
        passed=False,
        expected="every scripted reply and fault is met",
        got=list(unused),
    )
    *others, last = records
    return (*others, replace(last, checks=(*last.checks, red)))


def _checked(check: Check, observation: Observation) -> CheckRecord:
    unknown = missing(check, observation)
    if unknown:
        return _not_measured(_judged(check), f"the target does not report: {', '.join(unknown)}")
    try:
        verdict = check.evaluate(observation)
    except Exception as error:
        # A check of a kit's own may raise anything; the turn it looks at is none the worse for it.
        return replace(_judged(check), got=error_text(error), raised="check")
    return _judged(check, verdict)


def _judged(check: Check, verdict: Verdict = NO_VERDICT) -> CheckRecord:
    """The record of a check with what it says; red with nothing got where it has not said anything."""
    return CheckRecord(
        id=check.id,
        kind=check.kind,
        owner=check.owner,
        line=check.line,
        file=check.file,
        passed=verdict.passed,
        expected=verdict.expected,
        got=verdict.got,
    )
