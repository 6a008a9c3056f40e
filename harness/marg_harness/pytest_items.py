"""What pytest collects of a scenario: its file, and each of its rows as one item."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marg_harness.cli.printable import printable
from marg_harness.errors import ScenarioFailed
from marg_harness.paths import shown_path
from marg_harness.play import Play
from marg_harness.pytest_markers import marker_of
from marg_harness.pytest_plugin import MARKER, SEED
from marg_harness.replay import replay_scenario
from marg_harness.target import ReferenceTarget
from marg_harness.writes_off import writes_off
from marg_reports import RunRecord, reds_text, scrubbed_run
from marg_runtime.errors import UsageError
from marg_runtime.scrub import own_secrets, scrub
from marg_scenarios import Scenario, load_scenarios


class ScenarioFile(pytest.File):
    """A scenario's file. One that is unusable is a collection error with its file and line."""

    def collect(self) -> Iterator[ScenarioItem]:
        """The file's scenario, or each of its rows."""
        try:
            with writes_off():  # lest a kit find the flag as it is imported, and keep it
                scenarios = load_scenarios(self.path)
        except UsageError as error:
            raise self.CollectError(_clean(str(error))) from error
        for scenario in scenarios:
            yield ScenarioItem.from_parent(self, name=item_name(scenario), scenario=scenario)


class ScenarioItem(pytest.Item):
    """A scenario as a test, marked with its tags; it fails with the text of its reds."""

    def __init__(self, *, scenario: Scenario, **others: Any) -> None:
        super().__init__(**others)
        self.scenario = scenario
        self.add_marker(MARKER)
        for tag in scenario.tags:
            self.add_marker(marker_of(tag, self.config))

    def runtest(self) -> None:
        """Replay the scenario, writes off and no network."""
        self.user_properties += self._properties()
        target = ReferenceTarget(play=Play(seed=self.config.getoption(SEED)))
        replayed = RunRecord(version="", scenarios=(replay_scenario(self.scenario, target=target),))
        # What fails a test is printed, kept and uploaded by whoever runs pytest.
        run = scrubbed_run(replayed, secrets=own_secrets())
        record = run.scenarios[0]
        self.user_properties += [("marg.turns", str(len(record.turns))), ("marg.checks", str(len(record.checks)))]
        if run.reds():
            self.user_properties += [("marg.red", printable(red.id)) for red in run.reds()]
            raise ScenarioFailed(reds_text(run.reds()))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The reds of a scenario that failed, or what was wrong with its file; any other error as pytest shows it."""
        if isinstance(excinfo.value, (ScenarioFailed, UsageError)):
            return printable(_clean(str(excinfo.value)), newlines=True)
        shown = super().repr_failure(excinfo, style)
        # Without its colours, where there is something to remove.
        clean = _clean(str(shown))
        return shown if clean == str(shown) else clean

    def add_report_section(self, when: str, key: str, content: str) -> None:
        """What was printed and logged meanwhile, which pytest shows beside a failure and writes into JUnit."""
        super().add_report_section(when, key, _clean(content))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario is written: the file, the line from 0, the name."""
        return self.path, self.scenario.line - 1, self.name

    def _properties(self) -> list[tuple[str, object]]:
        """What JUnit says of a scenario beside its name: where it is written, and its tags."""
        place = f"{shown_path(self.scenario.path)}:{self.scenario.line}"
        tags = [("marg.tag", printable(_clean(tag))) for tag in self.scenario.tags]
        return [("marg.scenario", printable(_clean(place))), *tags]


def item_name(scenario: Scenario) -> str:
    """The scenario's title, as pytest can take it back: two colons part the names of a node."""
    return printable(_clean(scenario.title)).replace("::", ": :")


def _clean(text: str) -> str:
    return scrub(text, secrets=own_secrets())
