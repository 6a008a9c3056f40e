"""What `marg replay` can do with scenarios beside replaying them once: update, step, shrink, watch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from marg_harness.cli.replay_options import ReplayOptions
from marg_runtime.errors import UsageError
from marg_scenarios import Scenario

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Tool = Callable[[Sequence[Scenario], ReplayOptions], int]

TOOLS = ("update", "step", "shrink", "watch")
# They play the runtime in this process and say what they found themselves; a watch replays with all options but one.
_PLAIN = ("target", "partial", "junit", "coverage")
USELESS = {"update": _PLAIN, "shrink": _PLAIN, "step": (*_PLAIN, "repeat"), "watch": ("last_failed",)}
"""The options of a plain replay that a tool has no use for: refused, so that nobody waits for what they do."""


def tool_options(command: Decorated) -> Decorated:
    """Add the options of the tools to the command."""
    for option in reversed(
        (
            click.option("--update", is_flag=True, help="Re-record what reds expect, after showing the difference."),
            click.option("--force", is_flag=True, help="With --update: checks that the runtime owns, too."),
            click.option("-y", "--yes", is_flag=True, help="With --update: write without asking."),
            click.option("--step", is_flag=True, help="Stop after every turn and show it."),
            click.option("--shrink", is_flag=True, help="Print the fewest turns that still show the first red."),
            click.option("--watch", is_flag=True, help="Replay again what is affected by every change of a file."),
        )
    ):
        command = option(command)
    return command


def taken_tool(given: dict[str, Any], places: Sequence[Path]) -> Tool | None:
    """Take the options of the tools from those of the command; the one that was asked for, if any.

    Raises UsageError for two of them, and for what is said of one that was not asked for.
    """
    asked = [name for name in TOOLS if given.pop(name)]
    force, yes = given.pop("force"), given.pop("yes")
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} do not go together; ask for one of them")
    if (force or yes) and asked != ["update"]:
        raise UsageError(f"--{'force' if force else 'yes'} says how to --update; add that")
    if not asked:
        return None
    _check_beside(asked[0], given)
    # Imported when asked for: most replays are none of these.
    module = import_module(f"marg_harness.cli.replay_{asked[0]}")
    if asked == ["update"]:
        return module.Update(force=force, yes=yes).run  # type: ignore[no-any-return]
    if asked == ["watch"]:
        return module.Watch(places=tuple(places)).run  # type: ignore[no-any-return]
    return module.run  # type: ignore[no-any-return]


def _check_beside(tool: str, given: dict[str, Any]) -> None:
    for name in USELESS[tool]:
        if given[name] > 1 if name == "repeat" else given[name]:
            option = name.replace("_", "-")
            raise UsageError(f"--{tool} has no use for --{option}; leave it out, or replay without --{tool}")
