"""Replaying one turn: the act is done, the checks are evaluated, and what was seen is put on record."""

from __future__ import annotations

import json

from marg_harness.errors import NotShown
from marg_harness.script import Client
from marg_harness.stop import crash_stop, not_shown_stop, undeclared_stop
from marg_harness.target import Conversation
from marg_harness.transcript import answer_lines, user_line
from marg_mock_model import UndeclaredSituation
from marg_reports import CheckRecord, TurnRecord
from marg_runtime.ledger import encode
from marg_scenarios import Check, Observation, Turn


async def replay_turn(turn: Turn, client: Client, conversation: Conversation) -> TurnRecord:
    """Do the act of a turn and check what follows; what breaks is a red of the turn and stops the scenario."""
    try:
        observation = await conversation.act(client.act(turn, now=conversation.now))
        record = _observed(turn, observation)
    except NotShown as error:
        return stopped_turn(turn, not_shown_stop(error, line=turn.line))
    except UndeclaredSituation as error:
        return stopped_turn(turn, undeclared_stop(error, line=turn.line))
    except Exception as error:
        # Whatever the runtime, the domain or a check raises is a red of that turn, not the end of the run.
        return stopped_turn(turn, crash_stop(error, line=turn.line))
    client.took(turn, observation.answer)
    return record


def stopped_turn(turn: Turn, stop: CheckRecord) -> TurnRecord:
    """The record of a turn that went no further."""
    return TurnRecord(
        id=turn.id, line=turn.line, checks=(stop,), transcript=(user_line(turn),), request_digests=(), events=()
    )


def _observed(turn: Turn, observation: Observation) -> TurnRecord:
    return TurnRecord(
        id=turn.id,
        line=turn.line,
        checks=tuple(_checked(check, observation) for check in turn.checks),
        transcript=(user_line(turn), *answer_lines(observation.answer)),
        request_digests=tuple(request.digest for request in observation.requests),
        events=tuple(json.loads(encode(entry)) for entry in observation.entries),
    )


def _checked(check: Check, observation: Observation) -> CheckRecord:
    verdict = check.evaluate(observation)
    return CheckRecord(
        id=check.id,
        kind=check.kind,
        owner=check.owner,
        line=check.line,
        passed=verdict.passed,
        expected=verdict.expected,
        got=verdict.got,
    )
