"""`marg replay --watch`: everything once, then what is affected by every change, each time in a process of its own.

A process of its own, because Python imports a module once: what was changed in it would not be seen.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from marg_harness.cli.console import print_line
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.paths import shown_path
from marg_harness.watching import Watcher
from marg_runtime import numbers
from marg_runtime.errors import UsageError
from marg_scenarios import Scenario

PAUSE = 0.3
"""Seconds between two looks at the files, at least."""
SHARE = 20
"""A look is followed by a pause of so many times its own length: at most a twentieth of a core is used."""
COMMAND = "from marg_harness.cli import main; main()"
NAMED = 3
"""Changed files that are named; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class Watch:
    """A watch over the scenarios in some places, and over the files of Python below the present folder."""

    places: tuple[Path, ...]

    def run(self, scenarios: Sequence[Scenario], options: ReplayOptions) -> int:
        """Watch until it is interrupted; the exit code is that of the last replay."""
        if options.as_json:
            raise UsageError("--watch never ends, and --json prints one document; ask for one of them")
        code = 0
        try:
            code = _replayed(self.places, options)
            watcher = Watcher(self.places, root=Path.cwd())
            print_line(f"watching {numbers.plural(len(watcher.files), 'files')}; Ctrl-C ends it")
            for affected in _affected(watcher):
                code = _replayed(affected, options)
                print_line("waiting for the next change")
        except KeyboardInterrupt:
            print_line("stopped")
        return code


def _affected(watcher: Watcher) -> Iterator[Sequence[Path]]:
    """The scenarios that each change affects, as the changes come."""
    while True:
        started = time.monotonic()
        changed = watcher.look()
        if changed.files:
            print_line(f"changed: {_named(changed.files)}")
        if changed.scenarios:
            yield changed.scenarios
        time.sleep(max(PAUSE, SHARE * (time.monotonic() - started) if not changed.files else 0))


def _replayed(paths: Sequence[Path], options: ReplayOptions) -> int:
    """The exit code of a replay in a process of its own."""
    arguments = [*_arguments(options), "--", *(shown_path(path) for path in paths)]
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-c", COMMAND, "replay", *arguments], check=False).returncode


def _arguments(options: ReplayOptions) -> list[str]:
    """The options as they were given, for another process; those that `--watch` refuses are not among them."""
    several = {"--tag": options.tags, "--name": options.names}
    values = {
        "--jobs": options.jobs,
        "--repeat": options.repeat,
        "--seed": options.seed,
        "--output": options.output,
        "--junit": options.junit,
        "--over": options.over,
        "--faults": options.faults or None,
        "--read": options.read,
        "--retries": options.retries,
        "--model": options.model,
        "--base-url": options.base_url,
        "--replies": options.replies,
        "--tool-faults": options.tool_faults or None,
        "--tool-timeout": options.tool_timeout,
        "--target": options.target,
        "--target-timeout": options.target_timeout,
    }
    flags = {
        "--no-slips": not options.slips,
        "--isolated": options.isolated,
        "--coverage": options.coverage,
        "--partial": options.partial,
        "--quiet": options.quiet,
    }
    return [
        *(f"{name}={value}" for name, value in values.items() if value is not None),
        *(f"{name}={value}" for name, given in several.items() for value in given),
        *(name for name, asked in flags.items() if asked),
    ]


def _named(files: Iterable[Path]) -> str:
    names = sorted(shown_path(file) for file in files)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
