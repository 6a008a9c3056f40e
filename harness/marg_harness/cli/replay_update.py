"""`marg replay --update`: expectations re-recorded, after the difference was shown and agreed to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from marg_harness.cli.console import print_json, print_line
from marg_harness.cli.replay_options import ReplayOptions
from marg_harness.cli.replay_output import print_run
from marg_harness.cli.replay_run import run_all
from marg_harness.paths import shown_path
from marg_harness.replay import replay
from marg_harness.target import ReferenceTarget
from marg_harness.update import Change, Left, Plan, diff_of, plan_of, stands, texts_of
from marg_harness.update.sharing import files_touched
from marg_harness.whole_files import write_whole
from marg_reports import RunRecord, reds_text
from marg_runtime import numbers
from marg_scenarios import Scenario, load_scenarios

STYLES = {"+": "green", "-": "red", "@": "cyan"}


@dataclass(frozen=True, kw_only=True)
class Update:
    """An update: force for checks of the runtime's too, yes where nobody is asked."""

    force: bool
    yes: bool

    def run(self, scenarios: Sequence[Scenario], options: ReplayOptions) -> int:
        """Replay, show what would change, ask, and write; the exit code: 1 where a red is left."""
        ran = run_all(scenarios, options)
        first = ran.runs[ran.told]
        if not first.reds():
            self._said(Plan(changes=(), left=()), (), options, written=False)
            return 0
        files = files_touched(first)
        target = ReferenceTarget(play=options.play(ran.told))
        shared = replay([one for file in files for one in load_scenarios(file)], target=target)
        plan = plan_of(shared, chosen=[red.id for red in first.reds()], force=self.force)
        texts = texts_of(plan)
        wrong = stands(texts, plan=plan, files=files, target=target) if texts else ()
        diff = diff_of(texts)
        self._shown(plan, diff, first, options)
        if wrong and not options.as_json:
            print_line("Nothing is written: with these changes there would be reds.")
            for line in reds_text(wrong).split("\n"):
                print_line(line)
        written = bool(texts) and not wrong and (self.yes or (not options.as_json and click.confirm("Write this?")))
        if written:
            write_whole(texts)
        self._said(plan, diff, options, written=written)
        return 1 if plan.left or wrong or not written else 0

    def _shown(self, plan: Plan, diff: Sequence[str], run: RunRecord, options: ReplayOptions) -> None:
        if options.as_json:
            return
        if not plan.changes:
            print_run(run)
        for change in plan.changes:
            print_line(f"{_place(change)}: {change.kind}, owner {change.owner}")
        for line in diff:
            print_line(line, style=STYLES.get(line[:1], ""))
        for left in plan.left:
            print_line(f"left {_place(left)}: {left.kind}: {left.because}")

    def _said(self, plan: Plan, diff: Sequence[str], options: ReplayOptions, *, written: bool) -> None:
        if options.as_json:
            print_json({**_json(plan), "diff": list(diff), "written": written})
            return
        changed = numbers.plural(len(plan.changes), "changes")
        print_line(f"{changed} {'written' if written else 'to write'}, {numbers.plural(len(plan.left), 'reds')} left")


def _place(one: Change | Left) -> str:
    return f"{shown_path(one.file)}:{one.line}"


def _json(plan: Plan) -> dict[str, Any]:
    return {
        "changes": [
            {"place": _place(one), "check": one.kind, "owner": one.owner, "old": one.old, "new": one.new}
            for one in plan.changes
        ],
        "left": [{"place": _place(one), "check": one.kind, "because": one.because} for one in plan.left],
    }
