"""The options of `marg triage` for live runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from marg_harness.live_source import Live
from marg_reports.statistics import STAGES
from marg_runtime.errors import UsageError

_STAGES = ", ".join(str(stage.runs) for stage in STAGES)
Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _runs(context: click.Context, parameter: click.Parameter, value: int) -> int:
    if value != 0 and value < STAGES[0].runs:
        raise click.BadParameter(f"{value} runs a side decide nothing; the stages are of {_STAGES}")
    return value


def live_options(command: Decorated) -> Decorated:
    """Add the options of live runs to a command."""
    runs = click.option(
        "--live",
        metavar="K",
        callback=_runs,
        default=0,
        type=int,
        help=f"Draw at most K runs a side, in stages of {_STAGES}, for reds that only rates decide.",
    )
    model = click.option("--model", metavar="NAME", help="The model to draw them from; by default the run's own.")
    url = click.option("--base-url", metavar="URL", help="Where that model is; by default its provider's.")
    return runs(model(url(command)))


def model_of(given: Mapping[str, Any]) -> Live | None:
    """The model that was named, if any. Raises UsageError for a URL without one, and for one without runs."""
    if given["model"] is None:
        if given["base_url"] is not None:
            raise UsageError("--base-url needs a model: --model openai:NAME")
        return None
    if not given["live"]:
        raise UsageError(f"--model {given['model']!r} is for live runs; say how many a side: --live 40")
    return Live(model=given["model"], base_url=given["base_url"])
