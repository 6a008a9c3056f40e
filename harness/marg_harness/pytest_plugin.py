"""The pytest plugin: collects `*.scenario.yaml`, one item a scenario.

It is loaded in every pytest run of a user's, so it imports nothing but pytest until a scenario is collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from marg_reports import ScenarioRecord

SUFFIX = ".scenario.yaml"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """A collector for a scenario's file."""
    return ScenarioFile.from_parent(parent, path=file_path) if file_path.name.endswith(SUFFIX) else None


class ScenarioFile(pytest.File):
    """A scenario's file. One that is unusable is a collection error with its file and line."""

    def collect(self) -> Iterator[ScenarioItem]:
        """The file's one scenario."""
        from marg_runtime.errors import UsageError
        from marg_scenarios import load_scenario

        try:
            scenario = load_scenario(self.path)
        except UsageError as error:
            raise self.CollectError(str(error)) from error
        yield ScenarioItem.from_parent(self, name=scenario.name, scenario=scenario)


class ScenarioItem(pytest.Item):
    """A scenario as a test; it fails with the text of its reds."""

    def __init__(self, *, scenario: Any, **others: Any) -> None:
        super().__init__(**others)
        self.scenario = scenario

    def runtest(self) -> None:
        """Replay the scenario, writes off and no network."""
        from marg_harness.replay import replay_scenario

        record = replay_scenario(self.scenario)
        if any(not check.passed for check in record.checks):
            raise ScenarioFailed(record)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The reds of a scenario that failed; any other error as pytest shows it."""
        if not isinstance(excinfo.value, ScenarioFailed):
            return super().repr_failure(excinfo, style)
        from marg_reports import RunRecord, red_text

        run = RunRecord(version="", scenarios=(excinfo.value.record,))
        return "\n\n".join(red_text(red) for red in run.reds())

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario is written: the file, the line from 0, the name."""
        return self.path, self.scenario.line - 1, self.name


class ScenarioFailed(Exception):
    """A scenario had reds."""

    def __init__(self, record: ScenarioRecord) -> None:
        super().__init__(f"{record.name}: reds")
        self.record = record
