"""Running what `marg replay` was asked for, with progress on the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from marg_harness.cli.console import progress
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.named_target import named_target
from marg_harness.network_guard import no_network
from marg_harness.paths import shown_path
from marg_harness.play import Play
from marg_harness.replay import replay, run_of
from marg_harness.target import ReferenceTarget, Target
from marg_harness.workers import replay_in_workers
from marg_harness.writes_off import writes_off
from marg_reports import RunRecord, ScenarioRecord
from marg_runtime.canonical import Json
from marg_runtime.uncollected import uncollected
from marg_scenarios import Scenario


@dataclass(frozen=True, kw_only=True)
class Ran:
    """The runs, one a repetition, and how long all of them took, in seconds."""

    runs: tuple[RunRecord, ...]
    seconds: float

    @property
    def told(self) -> int:
        """Which repetition, from 0, is shown and put on record: the first with the most reds, else the last.

        A red of any repetition is the run's; were the last one always told, it could be green beside the exit code 1.
        """
        wrong = [(len(run.reds()), len(run.unmeasured())) for run in self.runs]
        return wrong.index(max(wrong)) if any(map(any, wrong)) else len(self.runs) - 1

    @property
    def told_last(self) -> tuple[RunRecord, ...]:
        """The runs in their order, but for the one that is told: it ends them."""
        return (*self.runs[: self.told], *self.runs[self.told + 1 :], self.runs[self.told])


def run_all(scenarios: Sequence[Scenario], options: ReplayOptions) -> Ran:
    """Replay the scenarios as often as was asked for."""
    started = time.monotonic()
    total = len(scenarios) * options.repeat
    with progress("replaying", total=total, quiet=options.quiet or options.as_json) as advance:
        done = 0

        def on_scenario(record: ScenarioRecord) -> None:
            nonlocal done
            done += 1
            advance(done)

        plays = [options.play(number) for number in range(options.repeat)]
        runs = tuple(
            replace(_run(scenarios, options, play, on_scenario), settings=_settings(options, play)) for play in plays
        )
    return Ran(runs=runs, seconds=time.monotonic() - started)


def _run(
    scenarios: Sequence[Scenario], options: ReplayOptions, play: Play, on_scenario: Callable[[ScenarioRecord], None]
) -> RunRecord:
    if options.jobs > 1 or options.isolated:
        return _in_workers(scenarios, options, play, on_scenario)
    target = _target(options, play)
    with writes_off(), no_network(), uncollected(keep=True):
        target.prepare(scenarios)
    return replay(scenarios, target=target, on_scenario=on_scenario)


def _settings(options: ReplayOptions, play: Play) -> dict[str, Json]:
    target: dict[str, Json] = {} if options.target is None else {"target": options.target}
    return {**play.settings(), **target}


def _target(options: ReplayOptions, play: Play) -> Target:
    if options.target is None:
        return ReferenceTarget(play=play)
    return named_target(options.target, seconds=options.target_timeout)


def _in_workers(
    scenarios: Sequence[Scenario], options: ReplayOptions, play: Play, on_scenario: Callable[[ScenarioRecord], None]
) -> RunRecord:
    places = {(shown_path(one.path), one.title): place for place, one in enumerate(scenarios)}
    records: dict[int, ScenarioRecord] = {}
    for record in replay_in_workers(scenarios, play=play, jobs=options.jobs, isolated=options.isolated):
        records[places[record.path, record.title]] = record
        on_scenario(record)
    return run_of(records[place] for place in sorted(records))
