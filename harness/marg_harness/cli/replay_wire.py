"""The options of `marg replay` that put a wire, and its faults, between the runtime and its model or its tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_args

import click

from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.source import WireApi
from marg_harness.tool_wire import parse_tool_faults
from marg_mock_model.endpoint import load_faults
from marg_runtime.errors import UsageError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
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
        click.option("--tool-faults", default="", help="Put the tools behind a real wire with these faults: died@1."),
        click.option("--tool-timeout", type=SECONDS, help="Seconds to wait for a tool; by default the runtime's own."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def check_wire(options: ReplayOptions) -> None:
    """Raise UsageError for a schedule that is none, and for what is asked of a wire that is not there."""
    beside = {"--faults": options.faults, "--read": options.read, "--retries": options.retries}
    given = [(name, value) for name, value in beside.items() if value not in (None, "")]
    if given and options.over is None:
        name, value = given[0]
        raise UsageError(f"{name} {value!r} needs a wire; name its API: --over {get_args(WireApi)[0]}")
    if options.tool_timeout is not None and not options.tool_faults:
        raise UsageError(
            f"--tool-timeout {options.tool_timeout!r} needs a wire to the tools; name faults: --tool-faults"
        )
    if options.faults:
        load_faults(options.faults)
    parse_tool_faults(options.tool_faults)
