"""`marg replay --shrink`: the fewest turns that still show a red, as a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from marg_harness.cli.console import note, print_json, print_line, progress, safe_text
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.cli.replay_run import run_all
from marg_harness.paths import shown_path
from marg_harness.shrink import Shrunk, shrink
from marg_harness.target import ReferenceTarget
from marg_runtime import numbers
from marg_runtime.canonical import Json
from marg_runtime.scrub import own_secrets, scrub_together
from marg_scenarios import Scenario


def run(scenarios: Sequence[Scenario], options: ReplayOptions) -> int:
    """Replay, shrink the first red, print it; the exit code: 1 where there was a red."""
    ran = run_all(scenarios, options)
    reds = ran.runs[ran.told].reds()
    if not reds:
        print_json(None) if options.as_json else print_line("all green: there is no red to shrink")
        return 0
    red = reds[0]
    scenario = next(
        one for one in scenarios if (shown_path(one.path), one.title) == (red.scenario.path, red.scenario.title)
    )
    target = ReferenceTarget(play=options.play(ran.told))
    with progress("shrinking", total=None, quiet=options.quiet or options.as_json) as advance:
        found = shrink(scenario, red, target=target, on_replay=advance)
    clean: Any = scrub_together(_json(found), secrets=own_secrets())
    if options.as_json:
        print_json(clean)
        return 1
    click.echo(safe_text(clean["text"]), nl=False)
    note(
        f"{clean['red']}: {numbers.of(len(found.turns), found.before)} turns, in {found.replays} replays",
        quiet=options.quiet,
    )
    if len(reds) > 1:
        note(f"{numbers.plural(len(reds) - 1, 'other reds')}; choose a scenario with -k", quiet=options.quiet)
    return 1


def _json(found: Shrunk) -> dict[str, Json]:
    return {
        "red": found.red.id,
        "before": found.before,
        "turns": list(found.turns),
        "replays": found.replays,
        "text": found.text,
    }
