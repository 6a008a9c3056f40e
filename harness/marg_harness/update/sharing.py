"""Which files of scenarios a change touches: those of the reds, and those that use the same file of fixtures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from marg_mock_model import read_document
from marg_reports import RunRecord
from marg_runtime.errors import UsageError
from marg_scenarios import find_scenarios
from marg_scenarios.expansion import included


def files_touched(run: RunRecord) -> tuple[Path, ...]:
    """The files of the scenarios with reds, and all others that include a file of fixtures in which a red is written.

    Those are looked for in the folder of the fixtures and below it.
    """
    reds = run.reds()
    own = [Path(red.scenario.path) for red in reds]
    fixtures = {Path(red.check.file) for red in reds if red.check.file is not None}
    others = [file for one in sorted(fixtures) for file in _users_of(one)]
    return tuple({file.resolve(): file for file in (*own, *others)}.values())


def _users_of(fixtures: Path) -> Sequence[Path]:
    try:
        files = find_scenarios(fixtures.parent)
    except UsageError:
        return ()  # the scenarios lie in other folders
    return [file for file in files if fixtures.resolve() in _included(file)]


def _included(file: Path) -> set[Path]:
    try:
        return {one.resolve() for one in included(read_document(file))}
    except UsageError:
        return set()  # a scenario that does not load is green for nobody
