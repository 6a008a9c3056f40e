"""`marg replay --target`: its options, what goes with it, and the exit code where not all could be measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from marg_harness.cli.console import print_line
from marg_harness.cli.failures import EXIT_NOT_MEASURED
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.python_agent import SECONDS
from marg_reports import RunRecord
from marg_runtime import numbers
from marg_runtime.errors import UsageError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def target_options(command: Decorated) -> Decorated:
    """Add the options of a target to a command."""
    partial = click.option("--partial", is_flag=True, help="Exit 0 too where checks were not measured and none is red.")
    timeout = click.option(
        "--target-timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=SECONDS,
        show_default=True,
        help="Seconds that the target may take for one exchange.",
    )
    target = click.option("--target", metavar="NAME", help="Replay against http://HOST:PORT or package.module:ATTR.")
    return target(timeout(partial(command)))


def check_target(options: ReplayOptions) -> None:
    """Raise UsageError where a target is named beside what only the reference runtime in this process can do."""
    if options.target is None:
        return
    beside = {
        "--jobs": options.jobs > 1,
        "--isolated": options.isolated,
        "--over": options.over is not None,
        "--tool-faults": bool(options.tool_faults),
        "--model": options.model is not None,
        "--replies": options.replies is not None,
        "--seed": options.seed != 0,
        "--no-slips": not options.slips,
    }
    given = [name for name, is_given in beside.items() if is_given]
    if given:
        raise UsageError(f"{given[0]} is for the runtime in this process; leave it out beside --target")


def print_unmeasured(run: RunRecord) -> None:
    """How many checks were not measured, for every reason."""
    reasons = Counter(str(one.check.got) for one in run.unmeasured())
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        print_line(f"not measured: {numbers.plural(count, 'checks')}: {reason}")


def exit_code(runs: Sequence[RunRecord], *, partial: bool) -> int:
    """1 for a red; else 3 where checks were not measured, unless that was asked for; else 0."""
    if any(run.reds() for run in runs):
        return 1
    return EXIT_NOT_MEASURED if not partial and any(run.unmeasured() for run in runs) else 0
