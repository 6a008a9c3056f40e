"""The options of `marg replay` that put a wire, and its faults, between the runtime and its model or its tools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.live_source import check_live
from marg_harness.recorded_source import recorded_replies
from marg_harness.source import WireApi
from marg_harness.tool_wire import parse_tool_faults
from marg_mock_model.endpoint import load_faults
from marg_runtime.errors import UsageError
from marg_runtime.scrub import own_secrets, scrub

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
FILE = click.Path(dir_okay=False, exists=True, path_type=Path)
SECONDS = click.FloatRange(min=0, min_open=True)


def wire_options(command: Decorated) -> Decorated:
    """Add the options of the wires to a command."""
    options = (
        click.option(
            "--over", type=click.Choice(get_args(WireApi)), help="Ask the machine over HTTP, by an official SDK."
        ),
        click.option("--faults", default="", help="Faults of that wire, as `marg mock serve` takes them."),
        click.option(
            "--read", type=SECONDS, help="Seconds to wait for a piece of a reply; by default the runtime's own."
        ),
        click.option(
            "--retries", type=click.IntRange(min=0), help="Tries after the first; by default the runtime's own."
        ),
        click.option(
            "--model", metavar="NAME", help="Ask a real model: openai:NAME, openai-responses:NAME, anthropic:NAME."
        ),
        click.option("--base-url", metavar="URL", help="Where that model is; by default its provider's."),
        click.option("--replies", type=FILE, help="Answer with the replies on record in this run, where it has them."),
        click.option("--tool-faults", default="", help="Put the tools behind a real wire with these faults: died@1."),
        click.option("--tool-timeout", type=SECONDS, help="Seconds to wait for a tool; by default the runtime's own."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _check_model(options: ReplayOptions) -> None:
    beside = {"--over": options.over, "--replies": options.replies}
    name = next((name for name, value in beside.items() if value is not None), None)
    if name is not None:
        raise UsageError(f"{name} and --model {options.model!r} both play the model's part; leave one out")
    live = options.live()
    if live is not None:
        check_live(live)


def check_wire(options: ReplayOptions) -> None:
    """Raise UsageError for a schedule that is none, and for what is asked of a wire that is not there."""
    beside = {"--faults": options.faults, "--read": options.read, "--retries": options.retries}
    given = [(name, value) for name, value in beside.items() if value not in (None, "")]
    if options.model is not None:
        _check_model(options)
    elif options.base_url is not None:
        raise UsageError(
            f"--base-url {scrub(options.base_url, secrets=own_secrets())!r} needs a model: --model openai:NAME"
        )
    if given and options.over is None and (options.model is None or options.faults):
        name, value = given[0]
        raise UsageError(f"{name} {value!r} needs a wire; name its API: --over {get_args(WireApi)[0]}")
    if options.tool_timeout is not None and not options.tool_faults:
        raise UsageError(
            f"--tool-timeout {options.tool_timeout!r} needs a wire to the tools; name faults: --tool-faults"
        )
    if options.replies is not None:
        recorded_replies(options.replies)
    if options.faults:
        load_faults(options.faults)
    parse_tool_faults(options.tool_faults)
