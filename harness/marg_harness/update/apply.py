"""A plan applied: the new texts, what differs, and whether the files still load and are green with them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from marg_harness.paths import shown_path
from marg_harness.replay import replay
from marg_harness.target import Target
from marg_harness.update.edit import edited
from marg_harness.update.plan import Plan, text_of
from marg_mock_model.instead import read_instead
from marg_reports import Red
from marg_scenarios import load_scenarios


def texts_of(plan: Plan) -> Mapping[Path, str]:
    """The text of every file that changes, as it would be."""
    files = dict.fromkeys(change.file for change in plan.changes)
    return {
        file: edited(
            text_of(file),
            [edit for change in plan.changes if change.file == file for edit in change.edits],
        )
        for file in files
    }


def diff_of(texts: Mapping[Path, str]) -> tuple[str, ...]:
    """The lines of a unified diff from the files to these texts."""
    return tuple(
        line.rstrip("\n")
        for file, text in texts.items()
        for line in difflib.unified_diff(
            text_of(file).splitlines(keepends=True),
            text.splitlines(keepends=True),
            fromfile=shown_path(file),
            tofile=shown_path(file),
        )
    )


def stands(texts: Mapping[Path, str], *, plan: Plan, files: Iterable[Path], target: Target) -> Sequence[Red]:
    """The reds that there would be with these texts and should not: none where the plan does what it says.

    files: of all scenarios that the changes touch. Nothing is written. Raises UsageError where one does not load.
    """
    expected = {red for left in plan.left for red in left.reds}
    with read_instead(texts):
        scenarios = [scenario for file in files for scenario in load_scenarios(file)]
    return [red for red in replay(scenarios, target=target).reds() if red.id not in expected]
