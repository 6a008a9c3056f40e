"""What pytest collects of a scenario: its file, and each of its rows as one item."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marg_harness.cli.printable import printable
from marg_harness.errors import ScenarioFailed
from marg_harness.replay import replay_scenario
from marg_reports import RunRecord, reds_text
from marg_runtime.errors import UsageError
from marg_scenarios import Scenario, load_scenarios


class ScenarioFile(pytest.File):
    """A scenario's file. One that is unusable is a collection error with its file and line."""

    def collect(self) -> Iterator[ScenarioItem]:
        """The file's scenario, or each of its rows."""
        try:
            scenarios = load_scenarios(self.path)
        except UsageError as error:
            raise self.CollectError(str(error)) from error
        for scenario in scenarios:
            yield ScenarioItem.from_parent(self, name=printable(scenario.title), scenario=scenario)


class ScenarioItem(pytest.Item):
    """A scenario as a test; it fails with the text of its reds."""

    def __init__(self, *, scenario: Scenario, **others: Any) -> None:
        super().__init__(**others)
        self.scenario = scenario

    def runtest(self) -> None:
        """Replay the scenario, writes off and no network."""
        run = RunRecord(version="", scenarios=(replay_scenario(self.scenario),))
        if run.reds():
            raise ScenarioFailed(reds_text(run.reds()))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The reds of a scenario that failed, or what was wrong with its file; any other error as pytest shows it."""
        if isinstance(excinfo.value, (ScenarioFailed, UsageError)):
            return printable(str(excinfo.value), newlines=True)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario is written: the file, the line from 0, the name."""
        return self.path, self.scenario.line - 1, self.name
