"""`marg scenario format`: scenario and fixture files in one form."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from marg_harness.cli.console import print_line
from marg_harness.cli.scenario_paths import place_of
from marg_harness.paths import shown_path
from marg_harness.whole_files import write_whole
from marg_runtime import numbers
from marg_runtime.errors import UsageError
from marg_scenarios import find_scenarios
from marg_scenarios.fixtures import find_fixtures
from marg_scenarios.formatting import format_scenario
from marg_scenarios.scenario import SCENARIO_SUFFIX, files_below


@click.command("format")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 where a file would change.")
def format_command(paths: tuple[str, ...], check: bool) -> None:
    """Bring scenario and fixture files into one form. Comments stay, and so does what the file says."""
    changed = []
    places = [place_of(path) for path in paths or (".",)]
    files = [file for place in places for file in _files(place)]
    for file in files:
        text = _read(file)
        formatted = format_scenario(text, path=str(file))
        if formatted != text:
            changed.append(file)
            print_line(f"{shown_path(file)}: {'would be written anew' if check else 'is written anew'}")
            if not check:
                write_whole({file: formatted})
    print_line(f"{numbers.plural(len(files), 'files')}, {len(changed)} {'to change' if check else 'changed'}")
    sys.exit(1 if check and changed else 0)


def _files(place: Path) -> tuple[Path, ...]:
    """The fixtures and the scenarios of a place, which may have either alone; raises UsageError where it has none."""
    fixtures = find_fixtures(place)
    if place.is_file() and fixtures:
        return fixtures
    found = files_below(place, SCENARIO_SUFFIX) if fixtures else find_scenarios(place)
    return (*fixtures, *found)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {error}; check the path.") from None
