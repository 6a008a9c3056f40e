"""The record of a run without secrets: all that people, models and tools said in it, before it is shown or kept.

The record in memory has what was really said, since checks are compared and updated with it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, replace

from marg_reports.record import CheckRecord, RunRecord, ScenarioRecord, TurnRecord
from marg_runtime.canonical import canonical_json
from marg_runtime.scrub import scrub, scrub_json, secrets_in


def scrubbed_run(run: RunRecord, *, secrets: Collection[str] = ()) -> RunRecord:
    """The run without secrets; one that has none is the same. secrets: those that are known by their value.

    What a scenario's record itself gives away (`password: ...`) is removed wherever it stands in that scenario, also
    where nothing says what it is. Paths stay: a file must be found again.
    """
    scenarios = tuple(_scenario(one, frozenset(secrets)) for one in run.scenarios)
    settings = {name: scrub_json(value, secrets=secrets) for name, value in run.settings.items()}
    return replace(run, scenarios=scenarios, settings=settings)


def _scenario(scenario: ScenarioRecord, secrets: frozenset[str]) -> ScenarioRecord:
    clean = _clean(scenario, secrets)
    if clean == scenario:
        return scenario
    return _clean(scenario, secrets.union(*map(given_away, scenario.turns)))


def given_away(turn: TurnRecord) -> frozenset[str]:
    """The secrets that a turn's record says to be secrets."""
    return secrets_in(canonical_json(asdict(turn)))


def _clean(scenario: ScenarioRecord, secrets: frozenset[str]) -> ScenarioRecord:
    return replace(
        scenario,
        name=scrub(scenario.name, secrets=secrets),
        row=None if scenario.row is None else scrub(scenario.row, secrets=secrets),
        tags=tuple(scrub(tag, secrets=secrets) for tag in scenario.tags),
        turns=tuple(_turn(turn, secrets) for turn in scenario.turns),
    )


def _turn(turn: TurnRecord, secrets: frozenset[str]) -> TurnRecord:
    return replace(
        turn,
        id=scrub(turn.id, secrets=secrets),
        checks=tuple(_check(check, secrets) for check in turn.checks),
        transcript=tuple(replace(line, text=scrub(line.text, secrets=secrets)) for line in turn.transcript),
        events=tuple(scrub_json(event, secrets=secrets) for event in turn.events),
        wire=tuple(scrub_json(event, secrets=secrets) for event in turn.wire),
        replies=tuple(scrub_json(reply, secrets=secrets) for reply in turn.replies),
    )


def _check(check: CheckRecord, secrets: frozenset[str]) -> CheckRecord:
    return replace(
        check,
        id=scrub(check.id, secrets=secrets),
        expected=scrub_json(check.expected, secrets=secrets),
        got=scrub_json(check.got, secrets=secrets),
    )
